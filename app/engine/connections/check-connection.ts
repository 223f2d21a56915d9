import type { ConnectionKind } from '#app/contracts/connection-kind.ts';
import type { Engine } from '#app/contracts/engine.ts';
import type { Json } from '#app/contracts/json.ts';
import type { Principal } from '#app/contracts/principals.ts';
import { signInOf } from '#app/domain/connections/sign-in-settings.ts';
import type { CommandDeps } from '#app/engine/commands/command.ts';
import { keepCheck } from '#app/engine/commands/connections/keep-check.ts';
import { keepFailedCheck } from '#app/engine/commands/connections/keep-failed-check.ts';
import { perform } from '#app/engine/commands/perform.ts';
import { credentialContext } from '#app/engine/connections/connection-row.ts';
import { PeerError } from '#app/engine/connections/peer.ts';
import { withBearer } from '#app/engine/connections/sign-ins/with-bearer.ts';
import { workspaceNetwork } from '#app/engine/workspaces/workspace-network.ts';

export type CheckedConnection = {
  id: string;
  kind: ConnectionKind;
  name: string;
  endpoint: string;
  sealedCredential: Uint8Array | null;
  settings: Json;
};

type CheckDeps = CommandDeps & { engine: Pick<Engine, 'inspectPeer' | 'signIns'> };

/** Asks a peer for its capabilities again, and stores the answer or the reason of its failure. `news`: something has changed. */
export async function checkConnection(
  principal: Principal,
  deps: CheckDeps,
  { id, name, kind, endpoint, sealedCredential, settings }: CheckedConnection,
): Promise<'unchanged' | 'news' | 'failed'> {
  const { inspectPeer, sealer, signIns } = deps.engine;
  const credential = sealedCredential === null ? null : sealer.open(sealedCredential, credentialContext(id));
  const privateNetwork = await principal.read((db) => workspaceNetwork(db, principal.workspace.id));
  try {
    const inspect = (token: string | null) => inspectPeer({ kind, endpoint, credential: token, settings, privateNetwork });
    const signIn = signInOf(settings);
    const holder = { workspaceId: principal.workspace.id, connectionId: id, userId: signIn?.by === 'member' ? principal.userId : null };
    const inspection =
      signIn === null ? await inspect(credential) : await withBearer(signIns, holder, { privateNetwork, host: signIn.host }, inspect);
    const { news } = await perform(keepCheck, principal, deps, { connection: { id, name }, inspection });
    return news === 0 ? 'unchanged' : 'news';
  } catch (error) {
    if (!(error instanceof PeerError)) throw error;
    await perform(keepFailedCheck, principal, deps, { connection: { id, name }, failure: error.failure });
    return 'failed';
  }
}
