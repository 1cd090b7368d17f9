//! A client with one persistent connection.

use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpStream;

pub(super) struct Client {
    sender: SendRequest<Body>,
    host: String,
}

fn failed(error: impl std::fmt::Display) -> String {
    error.to_string()
}

impl Client {
    pub(super) async fn connect(address: &str) -> Result<Self, String> {
        let stream = TcpStream::connect(address).await.map_err(failed)?;
        stream.set_nodelay(true).map_err(failed)?;
        let (sender, connection) = handshake(TokioIo::new(stream)).await.map_err(failed)?;
        tokio::spawn(connection);
        Ok(Self { sender, host: address.to_owned() })
    }

    pub(super) async fn post(&mut self, path: &str, body: &Value) -> Result<(StatusCode, String), String> {
        self.ask("POST", path, Body::from(body.to_string())).await
    }

    pub(super) async fn get(&mut self, path: &str) -> Result<(StatusCode, String), String> {
        self.ask("GET", path, Body::empty()).await
    }

    async fn ask(&mut self, method: &str, path: &str, body: Body) -> Result<(StatusCode, String), String> {
        let request = Request::builder().method(method).uri(path).header("host", &self.host);
        let request = request.header("content-type", "application/json").body(body).map_err(failed)?;
        self.sender.ready().await.map_err(failed)?;
        let response = self.sender.send_request(request).await.map_err(failed)?;
        let status = response.status();
        let bytes = to_bytes(Body::new(response.into_body()), 64 << 20).await.map_err(failed)?;
        Ok((status, String::from_utf8_lossy(&bytes).into_owned()))
    }
}
