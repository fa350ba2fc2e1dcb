//! Makes the service that `protoc` would have: tonic's own generator, told what the service is.

use tonic_build::manual::{Builder, Method, Service};

fn main() {
    let echo = Method::builder()
        .name("echo")
        .route_name("Echo")
        .input_type("crate::EchoMessage")
        .output_type("crate::EchoMessage")
        .codec_path("tonic_prost::ProstCodec")
        .build();
    let service = Service::builder().name("EchoService").package("").method(echo).build();
    Builder::new().build_client(false).compile(&[service]);
    println!("cargo:rerun-if-changed=build.rs");
}
