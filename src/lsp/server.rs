//! Speaks the protocol over standard input and output, on the crate `lsp-server`.

use super::features;
use super::position::{path_of, uri_of};
use super::workspace::Workspace;
use crate::discover::Launch;
use crate::error::{CommandError, ErrorKind};
use crate::host::Selection;
use crate::lint::config::discover::FindError;
use crate::lint::run::RunError;
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, Response};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

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
    root_of: impl Fn(&Path) -> PathBuf,
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
    let mut session =
        Session { connection, workspace, published: BTreeSet::new(), open: BTreeSet::new(), told: String::new() };
    session.run(&protocol)
}

struct Session<'c> {
    connection: &'c Connection,
    workspace: Workspace,
    /// Files that have diagnostics at the client.
    published: BTreeSet<String>,
    /// Files that are open at the client, by URI as the client writes it.
    open: BTreeSet<String>,
    /// The last message that was shown.
    told: String,
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
            // Files may have come and gone, and manifests may say something else.
            ("textDocument/didSave", _) => {
                self.rescan();
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

    /// Shows a message, once until there is another one.
    fn tell(&mut self, message: &str) {
        if self.told == message {
            return;
        }
        self.told = message.to_owned();
        let parameters = json!({ "type": 1, "message": format!("agentsctl: {message}") });
        self.send(Message::Notification(Notification::new("window/showMessage".to_owned(), parameters)));
    }

    /// Runs the rules and sends what changed.
    fn check(&mut self) {
        match self.workspace.check() {
            Ok(()) => self.told.clear(),
            // A configuration that cannot be used is told at its own place, and what was found before stays.
            Err(RunError::Config(FindError::File(error))) => {
                let uri = self.uri(&self.workspace.root.join(&error.path));
                let problems = error.problems.iter().map(|problem| features::problem(&error.text, problem));
                self.publish(&uri, problems.collect());
                self.published.insert(uri);
                return;
            }
            Err(error) => return self.tell(&error.to_string()),
        }
        let mut now = BTreeSet::new();
        for (path, findings) in &self.workspace.findings {
            let absolute = self.workspace.root.join(path);
            let Some(text) = self.workspace.text(&absolute) else { continue };
            let diagnostics: Vec<Value> =
                findings.iter().map(|judged| features::diagnostic(&self.workspace, &text, judged)).collect();
            let uri = self.uri(&absolute);
            self.publish(&uri, diagnostics);
            now.insert(uri);
        }
        // An open file without findings is told so, and so is one that had some.
        for clean in self.published.union(&self.open).filter(|uri| !now.contains(*uri)) {
            self.publish(clean, Vec::new());
        }
        self.published = now;
    }

    /// A file's URI as the client writes it, if it has the file open.
    fn uri(&self, path: &Path) -> String {
        let open = self.open.iter().find(|open| path_of(open).as_deref() == Some(path));
        open.cloned().unwrap_or_else(|| uri_of(path))
    }

    fn publish(&self, uri: &str, diagnostics: Vec<Value>) {
        let parameters = json!({ "uri": uri, "diagnostics": diagnostics });
        self.send(Message::Notification(Notification::new("textDocument/publishDiagnostics".to_owned(), parameters)));
    }

    fn answer(&self, request: Request) -> Response {
        type Feature = fn(&Workspace, &Path, &Value) -> Option<Value>;
        let feature: Feature = match request.method.as_str() {
            "textDocument/hover" => |workspace, path, asked| features::hover(workspace, path, &asked["position"]),
            "textDocument/definition" => {
                |workspace, path, asked| features::definition(workspace, path, &asked["position"])
            }
            "textDocument/codeLens" => |workspace, path, _| Some(features::lenses(workspace, path)),
            "textDocument/codeAction" => {
                |workspace, path, asked| Some(features::actions(workspace, path, &asked["range"]))
            }
            other => {
                let message = format!("`{other}` is not supported");
                return Response::new_err(request.id, ErrorCode::MethodNotFound as i32, message);
            }
        };
        let Some(uri) = request.params["textDocument"]["uri"].as_str() else {
            return Response::new_err(request.id, ErrorCode::InvalidParams as i32, "no file is named".to_owned());
        };
        // What is no file on the disk, such as a buffer without a name, has no answer.
        let result = path_of(uri).and_then(|path| feature(&self.workspace, &path, &request.params));
        Response::new_ok(request.id, result.unwrap_or(Value::Null))
    }
}
