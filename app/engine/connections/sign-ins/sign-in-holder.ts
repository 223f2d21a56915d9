import type { SignInSettings } from '#app/domain/connections/sign-in-settings.ts';
import type { ClaimedRun } from '#app/domain/runs/claim.ts';

/** Kinds of start that no person makes: their runs are signed in as the connection's owner. */
const UNATTENDED: ReadonlySet<string> = new Set(['schedule', 'webhook']);

/** Whose account a run calls with: null is the workspace's. Runs that nobody starts use the owner's, or for want of one that of their publisher. */
export function holderOf(signIn: SignInSettings, claim: Pick<ClaimedRun, 'initiatorId' | 'triggerKind'>): string | null {
  if (signIn.by === 'workspace') return null;
  return UNATTENDED.has(claim.triggerKind ?? 'manual') ? (signIn.owner ?? claim.initiatorId) : claim.initiatorId;
}
