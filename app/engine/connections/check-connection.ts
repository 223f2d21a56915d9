import type { Json } from '#app/domain/tables.ts';
import type { CommandDeps, Principal } from '#app/engine/commands/command.ts';
import { keepCheck } from '#app/engine/commands/connections/keep-check.ts';
import { keepFailedCheck } from '#app/engine/commands/connections/keep-failed-check.ts';
import { perform } from '#app/engine/commands/perform.ts';
import { credentialContext } from '#app/engine/connections/manage-connections.ts';
import { PeerError, type PeerKind } from '#app/engine/connections/peer.ts';
import type { Engine } from '#app/engine/engine.ts';
import { workspaceNetwork } from '#app/engine/workspaces/workspace-network.ts';

export type CheckedConnection = {
  id: string;
  kind: PeerKind;
  name: string;
  endpoint: string;
  sealedCredential: Uint8Array | null;
  settings: Json;
};

type CheckDeps = CommandDeps & { engine: Pick<Engine, 'inspectPeer'> };

/** Asks a peer again what it offers, and keeps the answer or why there was none. `news`: something differs from what was known. */
export async function checkConnection(
  principal: Principal,
  deps: CheckDeps,
  { id, name, kind, endpoint, sealedCredential, settings }: CheckedConnection,
): Promise<'unchanged' | 'news' | 'failed'> {
  const { inspectPeer, sealer } = deps.engine;
  const credential = sealedCredential === null ? null : sealer.open(sealedCredential, credentialContext(id));
  const privateNetwork = await principal.read((db) => workspaceNetwork(db, principal.workspace.id));
  try {
    const inspection = await inspectPeer({ kind, endpoint, credential, settings, privateNetwork });
    const { news } = await perform(keepCheck, principal, deps, { connection: { id, name }, inspection });
    return news === 0 ? 'unchanged' : 'news';
  } catch (error) {
    if (!(error instanceof PeerError)) throw error;
    await perform(keepFailedCheck, principal, deps, { connection: { id, name }, failure: error.failure });
    return 'failed';
  }
}
