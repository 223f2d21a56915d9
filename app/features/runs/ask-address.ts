import { href } from 'react-router';
import type { RunAsk } from '#app/contracts/runs.ts';

/** The page where a person gives what a run waits for; the run whose step asks (`of`) where the reader may not see that. */
export function askAddress({ what, id, of }: RunAsk & { of: string }): string {
  if (id === null) return href('/dashboard/runs/:run', { run: of });
  switch (what) {
    case 'approval':
      return href('/dashboard/approvals/:approval', { approval: id });
    case 'form':
      return href('/dashboard/tasks/:task', { task: id });
    case 'signIn':
      return href('/dashboard/plugins/:connection/sign-in', { connection: id });
  }
}
