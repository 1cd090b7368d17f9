//! Webhook delivery: one signed request, only to addresses the webhook may reach (SSRF protection).

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http_body_util::Full;
use hyper::body::Bytes;
use hyper::{Method, Request, StatusCode, Uri};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::connect::dns::Name;
use hyper_util::rt::TokioExecutor;
use ring::hmac;
use saegim_core::{Invalid, Phrase, Reach, SigningSecret, Span, Timestamp, phrase};
use tower::Service;

use crate::is_address;
use crate::web::retry_after;

/// Timeout of a delivery.
const WITHIN: Duration = Duration::from_secs(10);

/// Connect timeout.
const CONNECTING: Duration = Duration::from_secs(5);

/// Formats a signing secret for receivers.
pub fn written_secret(secret: &SigningSecret) -> String {
    format!("whsec_{}", STANDARD.encode(secret.bytes()))
}

/// Parses and validates a webhook address.
pub fn check_webhook(url: &str) -> Result<Uri, Invalid> {
    let uri = url.parse::<Uri>().ok().filter(|_| is_address(url, true));
    uri.ok_or_else(|| {
        let problem = phrase!("provider.webhook.url_form");
        Invalid::new("url", problem)
    })
}

/// Checks that an address is allowed for this reach. Host names are resolved and checked again at every delivery.
pub fn within_reach(uri: &Uri, reach: Reach) -> Result<(), Phrase> {
    let (secure, literal) = (uri.scheme_str() == Some("https"), literal(uri));
    match reach {
        Reach::Everywhere if secure || literal.is_none_or(|address| !is_public(address)) => Ok(()),
        Reach::Everywhere => Err(phrase!("provider.webhook.https_required")),
        Reach::Public if secure && literal.is_none_or(is_public) && uri.host() != Some("localhost") => Ok(()),
        Reach::Public => Err(phrase!("provider.webhook.public_https_required")),
    }
}

/// Returns the IP address if the host is an IP literal.
fn literal(uri: &Uri) -> Option<IpAddr> {
    uri.host()?.trim_start_matches('[').trim_end_matches(']').parse().ok()
}

/// Checks whether an address is on the public internet: not loopback, private, link-local or reserved.
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => {
            let [first, second, third, _] = address.octets();
            let set_aside =
                matches!((first, second), (0 | 240..=255, _) | (100, 64..=127) | (198, 18 | 19)) || (first, second, third) == (192, 0, 0);
            let own = address.is_private() || address.is_loopback() || address.is_link_local();
            !(own || set_aside || address.is_multicast() || address.is_documentation())
        }
        IpAddr::V6(address) => {
            if let Some(inner) = address.to_ipv4_mapped() {
                return is_public(IpAddr::V4(inner));
            }
            let parts = address.segments();
            // Only 2000::/3 is assigned; within it, exclude tunnels and documentation ranges.
            (parts[0] & 0xe000) == 0x2000 && parts[0] != 0x2002 && !(parts[0] == 0x2001 && (parts[1] < 0x0200 || parts[1] == 0x0db8))
        }
    }
}

/// Set of addresses a host name may resolve to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Among {
    Public,
    Own,
    All,
}

impl Among {
    fn of(uri: &Uri, reach: Reach) -> Self {
        match (reach, uri.scheme_str()) {
            (Reach::Public, _) => Self::Public,
            (Reach::Everywhere, Some("https")) => Self::All,
            (Reach::Everywhere, _) => Self::Own,
        }
    }

    fn holds(self, address: IpAddr) -> bool {
        match self {
            Self::All => true,
            Self::Public => is_public(address),
            Self::Own => !is_public(address),
        }
    }
}

/// A DNS resolver that returns only allowed addresses, which prevents DNS rebinding.
#[derive(Clone)]
struct Resolver(Among);

impl Service<Name> for Resolver {
    type Response = std::vec::IntoIter<SocketAddr>;
    type Error = std::io::Error;
    type Future = std::pin::Pin<Box<dyn Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    fn poll_ready(&mut self, _: &mut std::task::Context<'_>) -> std::task::Poll<Result<(), Self::Error>> {
        std::task::Poll::Ready(Ok(()))
    }

    fn call(&mut self, name: Name) -> Self::Future {
        let among = self.0;
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let allowed: Vec<SocketAddr> = found.filter(|address| among.holds(address.ip())).collect();
            if allowed.is_empty() {
                return Err(std::io::Error::other("the host name resolves to an address this webhook may not use"));
            }
            Ok(allowed.into_iter())
        })
    }
}

type Wire = Client<HttpsConnector<HttpConnector<Resolver>>, Full<Bytes>>;

/// Sends webhook deliveries.
pub struct Courier {
    public: Wire,
    own: Wire,
    all: Wire,
}

/// Outcome of a delivery.
#[derive(Clone, Debug, PartialEq)]
pub enum Delivery {
    /// The receiver accepted it.
    Heard,
    /// The delivery failed with this reason, and the receiver may have requested a back-off.
    Unheard(String, Option<Span>),
    /// The receiver no longer exists (HTTP 410).
    Gone,
}

/// A delivery to send.
pub struct OutgoingDelivery<'a> {
    /// Address of the receiver.
    pub url: &'a str,
    /// Addresses it may reach.
    pub reach: Reach,
    /// Signing secret.
    pub secret: &'a SigningSecret,
    /// Delivery id; identical for retries.
    pub id: &'a str,
    /// Time of the delivery.
    pub at: Timestamp,
    /// JSON body.
    pub body: String,
}

impl Default for Courier {
    fn default() -> Self {
        let wire = |among| {
            let mut connector = HttpConnector::new_with_resolver(Resolver(among));
            connector.set_connect_timeout(Some(CONNECTING));
            connector.enforce_http(false);
            let connector = HttpsConnectorBuilder::new().with_webpki_roots().https_or_http().enable_http1().wrap_connector(connector);
            Client::builder(TokioExecutor::new()).pool_idle_timeout(Duration::from_secs(30)).build(connector)
        };
        Self { public: wire(Among::Public), own: wire(Among::Own), all: wire(Among::All) }
    }
}

impl Courier {
    /// Sends a delivery once. Does not follow redirects, because they could lead to any address.
    pub async fn tell(&self, telling: OutgoingDelivery<'_>) -> Delivery {
        let allowed = check_webhook(telling.url).map_err(|invalid| invalid.phrase());
        if let Err(problem) = allowed.and_then(|uri| within_reach(&uri, telling.reach)) {
            return Delivery::Unheard(problem.to_string(), None);
        }
        match tokio::time::timeout(WITHIN, self.post(telling)).await {
            Ok(delivery) => delivery,
            Err(_) => Delivery::Unheard(format!("no answer within {} s", WITHIN.as_secs()), None),
        }
    }

    async fn post(&self, telling: OutgoingDelivery<'_>) -> Delivery {
        let unheard = |why: String| Delivery::Unheard(why, None);
        let seconds = (telling.at.millis() / 1000).to_string();
        let signature = signature(telling.secret, telling.id, &seconds, &telling.body);
        let request = Request::builder()
            .method(Method::POST)
            .uri(telling.url)
            .header("content-type", "application/json")
            .header("user-agent", concat!("saegim/", env!("CARGO_PKG_VERSION")))
            .header("webhook-id", telling.id)
            .header("webhook-timestamp", seconds)
            .header("webhook-signature", signature)
            .body(Full::new(Bytes::from(telling.body)));
        let request = match request {
            Ok(request) => request,
            Err(error) => return unheard(format!("the address cannot be used: {error}")),
        };
        let wire = match Among::of(request.uri(), telling.reach) {
            Among::Public => &self.public,
            Among::Own => &self.own,
            Among::All => &self.all,
        };
        let response = match wire.request(request).await {
            Ok(response) => response,
            Err(error) => return unheard(deepest(&error)),
        };
        let asked = retry_after(response.headers()).map(|wait| Span::seconds(i64::try_from(wait.as_secs()).unwrap_or(i64::MAX)));
        match response.status() {
            status if status.is_success() => Delivery::Heard,
            StatusCode::GONE => Delivery::Gone,
            status => Delivery::Unheard(format!("it answered {}", status.as_u16()), asked),
        }
    }
}

/// Returns the innermost source of an error, which is the most specific.
fn deepest(error: &dyn std::error::Error) -> String {
    let mut deepest = error;
    while let Some(source) = deepest.source() {
        deepest = source;
    }
    deepest.to_string()
}

/// Returns the `webhook-signature` header as defined by Standard Webhooks, so that receivers can use an existing library.
fn signature(secret: &SigningSecret, id: &str, seconds: &str, body: &str) -> String {
    let key = hmac::Key::new(hmac::HMAC_SHA256, secret.bytes());
    let tag = hmac::sign(&key, format!("{id}.{seconds}.{body}").as_bytes());
    format!("v1,{}", STANDARD.encode(tag.as_ref()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_internet_is_public() {
        for address in ["1.1.1.1", "8.8.8.8", "100.63.0.1", "2606:4700::1111", "::ffff:1.1.1.1"] {
            assert!(is_public(address.parse().unwrap()), "{address}");
        }
        for address in [
            "127.0.0.1",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.0.1",
            "169.254.169.254",
            "100.64.0.1",
            "0.0.0.0",
            "255.255.255.255",
            "224.0.0.1",
            "192.0.2.1",
            "198.18.0.1",
            "::1",
            "::",
            "fe80::1",
            "fd00::1",
            "::ffff:127.0.0.1",
            "64:ff9b::7f00:1",
            "2002:7f00:1::",
            "2001:db8::1",
            "2001::1",
            "ff02::1",
        ] {
            assert!(!is_public(address.parse().unwrap()), "{address}");
        }
    }

    #[test]
    fn what_is_no_address_of_ones_own_reach_is_refused() {
        let ok = |url, reach| check_webhook(url).is_ok_and(|uri| within_reach(&uri, reach).is_ok());
        for url in ["https://example.org/hook", "https://1.1.1.1/", "https://example.org:8443/a?b=c"] {
            assert!(ok(url, Reach::Public) && ok(url, Reach::Everywhere), "{url}");
        }
        for url in ["http://127.0.0.1:9000/hook", "http://localhost:9000", "http://192.168.0.7/", "https://10.0.0.1/", "http://[::1]:80/"] {
            assert!(!ok(url, Reach::Public) && ok(url, Reach::Everywhere), "{url}");
        }
        for url in [
            "http://8.8.8.8/",
            "ftp://example.org",
            "example.org/hook",
            "/hook",
            "",
            "https://",
            "https://a:b@example.org/",
            "https://exam*ple.org/",
            "https://example.org/a#b",
            "javascript:x",
        ] {
            assert!(!ok(url, Reach::Public) && !ok(url, Reach::Everywhere), "{url}");
        }
        assert!(!ok(&format!("https://example.org/{}", "a".repeat(3_000)), Reach::Public));
    }

    #[test]
    fn a_signature_is_what_the_standard_says() {
        // Example from the specification.
        let mut bytes = [0; 32];
        bytes[..24].copy_from_slice(&STANDARD.decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap());
        let key = hmac::Key::new(hmac::HMAC_SHA256, &bytes[..24]);
        let (id, seconds, body) = ("msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330", r#"{"test": 2432232314}"#);
        let tag = hmac::sign(&key, format!("{id}.{seconds}.{body}").as_bytes());
        assert_eq!(STANDARD.encode(tag.as_ref()), "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
        // HMAC pads a key shorter than a block with zeros, so the same secret in 32 bytes gives the same signature.
        assert_eq!(signature(&SigningSecret::from_bytes(bytes), id, seconds, body), "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    #[tokio::test]
    async fn a_name_that_leads_home_is_not_followed_from_outside() {
        let found = Resolver(Among::Public).call("localhost".parse().unwrap()).await;
        assert!(found.is_err());
        assert!(Resolver(Among::Own).call("localhost".parse().unwrap()).await.is_ok());
    }
}
