//! Maven modules: `-pl module` and `-f folder/pom.xml`. Phases and plugins are not judged.

use super::Certainty;
use super::command::{Call, Resolution, is_placeholder, option, options};
use super::definitions::DefinitionKind;
use super::tree::join;

pub(super) fn resolve(call: &Call<'_>) -> Resolution {
    if let Some(file) = option(call.words, &["-f", "--file"]) {
        return call.path(file, DefinitionKind::File);
    }
    let mut answer = Resolution::NotDefinedHere;
    for list in options(call.words, &["-pl", "--projects"]) {
        for module in list.split(',').filter(|m| !m.is_empty()) {
            answer = answer.and(resolve_module(call, module.trim_start_matches(['!', '+', '-'])));
        }
    }
    answer
}

fn resolve_module(call: &Call<'_>, module: &str) -> Resolution {
    let project = call.project;
    if is_placeholder(module) || super::shape::has_stand_in(module) || matches!(module, "module" | "module-name") {
        return Resolution::unknown(format!("`{module}` is a placeholder"));
    }
    let poms: Vec<&str> = project.tree().named("pom.xml").map(|e| e.path).take(3000).collect();
    if poms.is_empty() {
        return Resolution::unknown("there is no pom.xml");
    }
    if let Some((_, artifact)) = module.rsplit_once(':') {
        for pom in &poms {
            match project.read(pom) {
                Ok(text) if text.contains(&format!("<artifactId>{artifact}</artifactId>")) => {
                    return Resolution::found(module, DefinitionKind::Package, pom);
                }
                Ok(_) => {}
                Err(why) => return Resolution::Unknown { why },
            }
        }
        return call.missing(module, DefinitionKind::Package, Certainty::Likely, Vec::new(), None);
    }
    for place in &call.places {
        if let Some(pom) = join(place, module).and_then(|f| join(&f, "pom.xml")).filter(|p| project.is_file(p)) {
            return Resolution::found(module, DefinitionKind::Package, &pom);
        }
    }
    let ending = format!("{module}/pom.xml");
    let elsewhere: Vec<String> = poms
        .iter()
        .filter(|p| super::tree::ends_with_components(p, &ending))
        .map(|p| p.strip_suffix(&ending).unwrap_or("").trim_end_matches('/').to_owned())
        .take(10)
        .collect();
    if !elsewhere.is_empty() && !call.stated {
        return Resolution::ElsewhereOnly {
            name: module.to_owned(),
            kind: DefinitionKind::Package,
            folders: elsewhere,
        };
    }
    call.missing(module, DefinitionKind::Package, Certainty::Certain, call.places.clone(), None)
}

#[cfg(test)]
mod tests {
    use crate::project::Resolution;
    use crate::project::command::tests::{all_found, all_missing, all_undecided, project, run};

    #[test]
    fn modules() {
        let project = project(&[
            ("pom.xml", "<project/>"),
            ("client/pom.xml", "<artifactId>the-client</artifactId>"),
            ("deep/er/pom.xml", ""),
        ]);
        all_found(
            &project,
            &[
                "mvn test -pl client",
                "mvn -pl :the-client -am test",
                "mvn -pl client,deep/er verify",
                "mvn -f client/pom.xml test",
            ],
        );
        all_missing(&project, &["mvn -pl gone test", "mvn --projects :gone test", "mvn -f gone/pom.xml test"]);
        all_undecided(&project, &["mvn clean install", "mvn -pl <module> test", "mvn test -Dtest=X"]);
        assert!(matches!(run(&project, "mvn -pl er test", ""), Resolution::ElsewhereOnly { .. }));
    }
}
