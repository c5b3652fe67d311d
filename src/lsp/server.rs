//! Speaks the protocol over standard input and output, on the crate `lsp-server`.

use super::features;
use super::position::{path_of, uri_of};
use super::workspace::Workspace;
use crate::discover::Launch;
use crate::error::{CommandError, ErrorKind};
use crate::host::Selection;
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, Response};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// What the server can do.
fn capabilities() -> Value {
    json!({
        "positionEncoding": "utf-16",
        "textDocumentSync": { "openClose": true, "change": 1, "save": { "includeText": false } },
        "hoverProvider": true,
        "definitionProvider": true,
        "codeActionProvider": { "codeActionKinds": ["quickfix"] },
        "codeLensProvider": { "resolveProvider": false },
    })
}

/// Serves until the client ends the session.
///
/// # Errors
/// The client does not speak the protocol, or the workspace cannot be read.
pub fn serve(
    connection: &Connection,
    selections: Vec<Selection>,
    launch: Launch,
    root_of: impl Fn(&std::path::Path) -> PathBuf,
) -> Result<(), CommandError> {
    let protocol =
        |error: lsp_server::ProtocolError| CommandError::new(ErrorKind::Input, format!("the language client: {error}"));
    let (id, parameters) = connection.initialize_start().map_err(protocol)?;
    let answer = json!({
        "capabilities": capabilities(),
        "serverInfo": { "name": "agentsctl", "version": env!("CARGO_PKG_VERSION") },
    });
    connection.initialize_finish(id, answer).map_err(protocol)?;
    let folder = parameters["workspaceFolders"][0]["uri"].as_str().or(parameters["rootUri"].as_str());
    let folder = folder.and_then(path_of).unwrap_or_else(|| launch.directory.clone());
    let workspace = Workspace::open(root_of(&folder), selections, launch)?;
    let mut session = Session { connection, workspace, published: BTreeSet::new(), open: BTreeSet::new() };
    session.run(&protocol)
}

struct Session<'c> {
    connection: &'c Connection,
    workspace: Workspace,
    /// Files that have diagnostics at the client.
    published: BTreeSet<String>,
    /// Files that are open at the client, by URI as the client writes it.
    open: BTreeSet<String>,
}

impl Session<'_> {
    fn run(&mut self, protocol: &dyn Fn(lsp_server::ProtocolError) -> CommandError) -> Result<(), CommandError> {
        loop {
            let Ok(message) = self.connection.receiver.recv() else { return Ok(()) };
            let mut changed = false;
            // Whatever else has arrived is taken in before the rules run, so that fast typing costs one run.
            let mut next = Some(message);
            while let Some(message) = next {
                match message {
                    Message::Request(request) => {
                        if self.connection.handle_shutdown(&request).map_err(protocol)? {
                            return Ok(());
                        }
                        if changed {
                            self.check();
                            changed = false;
                        }
                        let response = self.answer(request);
                        self.send(Message::Response(response));
                    }
                    Message::Notification(notification) => changed |= self.note(&notification),
                    Message::Response(_) => {}
                }
                next = self.connection.receiver.try_recv().ok();
            }
            if changed {
                self.check();
            }
        }
    }

    fn send(&self, message: Message) {
        // The client is gone when nothing can be sent; the next receive ends the session.
        let _ = self.connection.sender.send(message);
    }

    /// Takes in what the client tells; true if findings may have changed.
    fn note(&mut self, notification: &Notification) -> bool {
        let parameters = &notification.params;
        let uri = parameters["textDocument"]["uri"].as_str();
        let path = uri.and_then(path_of);
        match (notification.method.as_str(), path) {
            ("textDocument/didOpen", Some(path)) => {
                self.open.extend(uri.map(str::to_owned));
                let text = parameters["textDocument"]["text"].as_str().map(str::to_owned);
                self.workspace.set_text(&path, text);
                true
            }
            ("textDocument/didChange", Some(path)) => {
                let text = parameters["contentChanges"].as_array().and_then(|changes| changes.last());
                self.workspace.set_text(&path, text.and_then(|c| c["text"].as_str()).map(str::to_owned));
                true
            }
            ("textDocument/didClose", Some(path)) => {
                self.open.retain(|open| Some(open.as_str()) != uri);
                self.workspace.set_text(&path, None);
                true
            }
            ("textDocument/didSave", Some(path)) => {
                if !self.workspace.knows(&path) {
                    self.rescan();
                }
                true
            }
            ("workspace/didChangeWatchedFiles" | "workspace/didCreateFiles" | "workspace/didDeleteFiles", _) => {
                self.rescan();
                true
            }
            _ => false,
        }
    }

    fn rescan(&mut self) {
        if let Err(error) = self.workspace.rescan() {
            self.tell(&error.to_string());
        }
    }

    fn tell(&self, message: &str) {
        let parameters = json!({ "type": 1, "message": format!("agentsctl: {message}") });
        self.send(Message::Notification(Notification::new("window/showMessage".to_owned(), parameters)));
    }

    /// Runs the rules and sends what changed.
    fn check(&mut self) {
        if let Err(error) = self.workspace.check() {
            return self.tell(&error.to_string());
        }
        let mut now = BTreeSet::new();
        for (path, findings) in &self.workspace.findings {
            let absolute = self.workspace.root.join(path);
            let Some(text) = self.workspace.text(&absolute) else { continue };
            let diagnostics: Vec<Value> =
                findings.iter().map(|judged| features::diagnostic(&self.workspace, &text, judged)).collect();
            let uri = self.open.iter().find(|open| path_of(open).as_ref() == Some(&absolute)).cloned();
            let uri = uri.unwrap_or_else(|| uri_of(&absolute));
            self.publish(&uri, diagnostics);
            now.insert(uri);
        }
        // An open file without findings is told so, and so is one that had some.
        for clean in self.published.union(&self.open).filter(|uri| !now.contains(*uri)) {
            self.publish(clean, Vec::new());
        }
        self.published = now;
    }

    fn publish(&self, uri: &str, diagnostics: Vec<Value>) {
        let parameters = json!({ "uri": uri, "diagnostics": diagnostics });
        self.send(Message::Notification(Notification::new("textDocument/publishDiagnostics".to_owned(), parameters)));
    }

    fn answer(&self, request: Request) -> Response {
        let parameters = &request.params;
        let Some(path) = parameters["textDocument"]["uri"].as_str().and_then(path_of) else {
            return Response::new_err(request.id, ErrorCode::InvalidParams as i32, "no file is named".to_owned());
        };
        let position = &parameters["position"];
        let result = match request.method.as_str() {
            "textDocument/hover" => features::hover(&self.workspace, &path, position),
            "textDocument/definition" => features::definition(&self.workspace, &path, position),
            "textDocument/codeLens" => Some(features::lenses(&self.workspace, &path)),
            "textDocument/codeAction" => Some(features::actions(&self.workspace, &path, &parameters["range"])),
            other => {
                let message = format!("`{other}` is not supported");
                return Response::new_err(request.id, ErrorCode::MethodNotFound as i32, message);
            }
        };
        Response::new_ok(request.id, result.unwrap_or(Value::Null))
    }
}
