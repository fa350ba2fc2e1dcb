//! An echo server by tonic, on one thread: `samewire-bench-tonic [KEY CERT]` prints {"port": …} and ends with its input.

use std::io::Read;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::transport::{Identity, Server, ServerTlsConfig};
use tonic::{Request, Response, Status, Streaming};

mod service {
    #![allow(clippy::all)]
    include!(concat!(env!("OUT_DIR"), "/.EchoService.rs"));
}
use service::echo_service_server::{EchoService, EchoServiceServer};

#[derive(Clone, PartialEq, prost::Message)]
pub struct EchoMessage {
    #[prost(string, tag = "1")]
    pub value: String,
    #[prost(int32, tag = "2")]
    pub value2: i32,
}

struct Echo;

#[tonic::async_trait]
impl EchoService for Echo {
    type EchoBidiStreamStream = Streaming<EchoMessage>;

    async fn echo(&self, request: Request<EchoMessage>) -> Result<Response<EchoMessage>, Status> {
        Ok(Response::new(request.into_inner()))
    }

    async fn echo_bidi_stream(
        &self,
        request: Request<Streaming<EchoMessage>>,
    ) -> Result<Response<Self::EchoBidiStreamStream>, Status> {
        Ok(Response::new(request.into_inner()))
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let files: Vec<String> = std::env::args().skip(1).collect();
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?
        .block_on(async {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
            println!("{{\"port\": {}}}", listener.local_addr()?.port());
            std::thread::spawn(|| {
                let _ = std::io::stdin().read_to_end(&mut Vec::new());
                std::process::exit(0);
            });
            let mut server = Server::builder().max_concurrent_streams(1000);
            if let [key, cert] = files.as_slice() {
                let identity = Identity::from_pem(std::fs::read(cert)?, std::fs::read(key)?);
                server = server.tls_config(ServerTlsConfig::new().identity(identity))?;
            }
            server
                .add_service(EchoServiceServer::new(Echo))
                .serve_with_incoming(TcpListenerStream::new(listener))
                .await?;
            Ok(())
        })
}
