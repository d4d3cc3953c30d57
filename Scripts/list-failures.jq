# From the events of one Swift Testing run (slurped): one line for each thing that failed, where, and what it said.
(map(select(.kind == "test").payload | {key: .id, value: (.displayName // .name)}) | from_entries) as $names
| map(select(.kind == "event").payload) as $events
| ($events | map(select(.kind == "issueRecorded" and (.issue.isKnown | not)))
    | map("\($names[.testID] // .testID // "no test"), \(.issue.sourceLocation | "\(.fileID):\(.line)"): "
        + ([.messages[].text // "" | gsub("\\s+"; " ") | .[:600]] | join(" "))))
  + (($events | map(select(.kind == "testStarted").testID)) - ($events | map(select(.kind == "testEnded").testID))
    | map("\($names[.] // .): started and never ended"))
| unique[]
| "  " + .
