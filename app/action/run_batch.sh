#!/bin/bash
# The batch of action.yml, whose inputs come as GVBIND_*. gvbind itself writes annotations and the summary of the job.
set -euo pipefail

# A line break in a path would forge a second output of the step, or an option of its own.
refuse_line_break() {
  if [[ $2 == *[$'\n\r']* ]]; then
    echo "::error title=gvbind::the input '$1' of the action holds a line break; 'options' alone takes several lines" >&2
    exit 2
  fi
}
refuse_line_break folder "$GVBIND_FOLDER"
refuse_line_break manifest "$GVBIND_MANIFEST"
refuse_line_break output "$GVBIND_OUTPUT"
refuse_line_break fail-on "$GVBIND_FAIL_ON"
refuse_line_break command "$GVBIND_COMMAND"

report=$GVBIND_OUTPUT/report.json
arguments=(batch "--output=$GVBIND_OUTPUT" "--report=$report")
# If it is empty, the manifest's own fail-on applies.
[ -z "$GVBIND_FAIL_ON" ] || arguments+=("--fail-on=$GVBIND_FAIL_ON")
while IFS= read -r option; do
  [ -z "$option" ] || arguments+=("$option")
done <<<"$GVBIND_OPTIONS"
# The folder comes last, whatever its name begins with.
arguments+=(-- "${GVBIND_MANIFEST:-$GVBIND_FOLDER}")

mkdir -p -- "$GVBIND_OUTPUT"
echo "report=$report" >>"$GITHUB_OUTPUT"
if [ -n "$GVBIND_COMMAND" ]; then
  exec "$GVBIND_COMMAND" "${arguments[@]}"
fi
# The file of the summary lies in the runner's folder; paths are the same inside and outside.
exec docker run --rm --user "$(id -u):$(id -g)" --env GITHUB_ACTIONS --env GITHUB_WORKSPACE --env GITHUB_STEP_SUMMARY \
  --volume "$GITHUB_WORKSPACE:$GITHUB_WORKSPACE" --volume "$RUNNER_TEMP:$RUNNER_TEMP" --workdir "$PWD" \
  gvbind-action "${arguments[@]}"
