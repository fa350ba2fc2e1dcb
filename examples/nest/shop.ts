// Two gRPC services of NestJS, of which one asks the other. Makes two calls, and prints the spans of each trace.
import { printSpans } from "./tracing.js";
import "reflect-metadata";
import { Controller, Inject, Module } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { ClientProxyFactory, GrpcMethod, RpcException, Transport } from "@nestjs/microservices";
import type { ClientGrpcProxy, GrpcOptions } from "@nestjs/microservices";
import { catchError, firstValueFrom, map, type Observable } from "rxjs";

interface Book {
  id: string;
}
interface Prices {
  get(book: Book): Observable<{ cents: number }>;
}
interface Orders {
  buy(book: Book): Observable<{ book: string; cents: number }>;
}

const NOT_FOUND = 5;
const at = (url: string): GrpcOptions & { transport: Transport.GRPC } => ({
  transport: Transport.GRPC,
  options: { url, package: "shop", protoPath: "shop.proto" },
});
const prices = at(process.env["PRICES"] ?? "127.0.0.1:50051");
const orders = at(process.env["ORDERS"] ?? "127.0.0.1:50052");

@Controller()
class PricesController {
  private readonly cents = new Map([["1001", 1250]]);

  @GrpcMethod("Prices")
  get({ id }: Book): { cents: number } {
    const cents = this.cents.get(id);
    if (cents === undefined) throw new RpcException({ code: NOT_FOUND, message: `there is no book ${id}` });
    return { cents };
  }
}

@Controller()
class OrdersController {
  private readonly prices: Prices;

  constructor(@Inject("prices") client: ClientGrpcProxy) {
    this.prices = client.getService<Prices>("Prices");
  }

  @GrpcMethod("Orders")
  buy({ id }: Book): Observable<{ book: string; cents: number }> {
    return this.prices.get({ id }).pipe(
      map(({ cents }) => ({ book: id, cents })),
      catchError(({ code, details }) => {
        throw new RpcException({ code, message: details });
      }),
    );
  }
}

@Module({ controllers: [PricesController] })
class PricesModule {}

@Module({
  controllers: [OrdersController],
  providers: [{ provide: "prices", useFactory: () => ClientProxyFactory.create(prices) }],
})
class OrdersModule {}

async function main(): Promise<void> {
  const services = [
    await NestFactory.createMicroservice<GrpcOptions>(PricesModule, { ...prices, logger: ["error"] }),
    await NestFactory.createMicroservice<GrpcOptions>(OrdersModule, { ...orders, logger: ["error"] }),
  ];
  for (const service of services) await service.listen();

  const client = ClientProxyFactory.create(orders);
  const { buy } = client.getService<Orders>("Orders");
  console.log(await firstValueFrom(buy({ id: "1001" })));
  await firstValueFrom(buy({ id: "1009" })).catch((error) => console.log(error.message));
  await client.close();
  for (const service of services.reverse()) await service.close();
  printSpans();
}

void main();
