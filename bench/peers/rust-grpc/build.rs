//! Makes the service that `protoc` would have: tonic's own generator, told what the service is.

use tonic_build::manual::{Builder, Method, Service};

fn main() {
    let method = |name: &str, route: &str| {
        Method::builder()
            .name(name)
            .route_name(route)
            .input_type("crate::EchoMessage")
            .output_type("crate::EchoMessage")
            .codec_path("tonic_prost::ProstCodec")
    };
    let echo = method("echo", "Echo").build();
    let bidi = method("echo_bidi_stream", "EchoBidiStream")
        .client_streaming()
        .server_streaming()
        .build();
    let service = Service::builder()
        .name("EchoService")
        .package("")
        .method(echo)
        .method(bidi)
        .build();
    Builder::new().build_client(false).compile(&[service]);
    println!("cargo:rerun-if-changed=build.rs");
}
