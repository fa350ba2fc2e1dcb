// An echo server by grpc-go, messages left as bytes: `go-grpc [KEY CERT]` prints {"port": …} and ends with its input.
package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"os"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/mem"
)

// raw passes messages through as they came: no protobuf is paid for.
type raw struct{}

func (raw) Name() string { return "proto" }

func (raw) Marshal(value any) (mem.BufferSlice, error) {
	return mem.BufferSlice{mem.SliceBuffer(*value.(*[]byte))}, nil
}

func (raw) Unmarshal(data mem.BufferSlice, value any) error {
	*value.(*[]byte) = data.Materialize()
	return nil
}

func echo(_ any, stream grpc.ServerStream) error {
	for {
		var message []byte
		if err := stream.RecvMsg(&message); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if err := stream.SendMsg(&message); err != nil {
			return err
		}
	}
}

func unary(_ any, _ context.Context, decode func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
	var message []byte
	return &message, decode(&message)
}

func main() {
	encoding.RegisterCodecV2(raw{})
	options := []grpc.ServerOption{grpc.MaxConcurrentStreams(1000)}
	if len(os.Args) == 3 {
		pair, err := tls.LoadX509KeyPair(os.Args[2], os.Args[1])
		if err != nil {
			panic(err)
		}
		options = append(options, grpc.Creds(credentials.NewServerTLSFromCert(&pair)))
	}
	server := grpc.NewServer(options...)
	server.RegisterService(&grpc.ServiceDesc{
		ServiceName: "EchoService",
		HandlerType: (*any)(nil),
		Methods:     []grpc.MethodDesc{{MethodName: "Echo", Handler: unary}},
		Streams:     []grpc.StreamDesc{{StreamName: "EchoBidiStream", Handler: echo, ServerStreams: true, ClientStreams: true}},
	}, nil)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Printf("{\"port\": %d}\n", listener.Addr().(*net.TCPAddr).Port)
	go func() {
		io.Copy(io.Discard, os.Stdin)
		server.Stop()
	}()
	if err := server.Serve(listener); err != nil {
		panic(err)
	}
}
