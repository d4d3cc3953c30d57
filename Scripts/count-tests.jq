# From the events of one Swift Testing run (slurped): passed, failed, skipped, skipped without a reason.
# A test that started and never ended took the process down with it: it failed.
(map(select(.kind == "test" and .payload.kind == "function").payload.id)) as $tests
| (map(select(.kind == "event").payload)) as $events
| ($events | map(select(.kind == "testEnded") | {key: .testID, value: .messages[0].symbol}) | from_entries) as $ended
| ($events | map(select(.kind == "testStarted").testID)) as $started
| ($events | map(select(.kind == "testSkipped") | {key: .testID, value: .messages[0].text}) | from_entries) as $skipped
| ($tests | map(select($ended[.] == "pass" or $ended[.] == "passWithKnownIssue")) | length) as $passed
| ($tests | map(select($ended[.] == "skip" or $skipped[.] != null)) | length) as $omitted
| ($tests | map(select($skipped[.] != null and ($skipped[.] | test("skipped: \"") | not))) | length) as $silent
| ($started - ($ended | keys) | map(select(. as $id | $tests | index($id))) | length) as $lost
| ($tests | map(select($ended[.] == "fail")) | length) as $failed
| "\($passed) \($failed + $lost) \($omitted) \($silent)"
