import { useLayoutEffect, useState } from 'react';
import { hasUnsaved } from '#app/components/form/unsaved/unsaved.ts';

/**
 * The revision that a form was filled in over. When the page's data are read again and somebody else has changed `of`, which the form shows,
 * a form with typed changes keeps the revision that it was begun over: saving is then told as a conflict, and overwrites nothing unseen.
 */
export function RevisionInput({ name = 'revision', revision, of }: { name?: string; revision: number; of: unknown }) {
  const shown = JSON.stringify(of);
  const [held, setHeld] = useState({ revision, shown });
  const isSame = held.shown === shown;
  if (isSame && held.revision !== revision) setHeld({ revision, shown });
  useLayoutEffect(() => {
    if (!isSame && !hasUnsaved()) setHeld({ revision, shown });
  }, [isSame, revision, shown]);
  return <input type="hidden" name={name} value={held.revision} />;
}
