import { useFormats } from '#app/components/text/locale-context.tsx';
import type { RunIdentity } from '#app/contracts/runs.ts';
import { subjectText } from '#app/domain/runs/subject/run-subject.ts';

/** A run as lists name it: what it is about, or else its workflow, and its number. */
export function RunLabel({ run }: { run: RunIdentity & { workflow: string } }) {
  const formats = useFormats();
  return (
    <>
      <bdi>{run.subject === null ? run.workflow : subjectText(run.subject, formats)}</bdi>{' '}
      <bdi className="text-muted">{`· #${run.number}`}</bdi>
    </>
  );
}
