import { data, href, type RouterContextProvider, redirect } from 'react-router';
import { toAskedChange } from '#app/components/form/ask/ask-answer.server.ts';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { refusedForm } from '#app/components/form/refused-form.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import type { ConnectionKind } from '#app/contracts/connection-kind.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { signInOf } from '#app/domain/connections/sign-in-settings.ts';
import { can } from '#app/domain/people/roles.ts';
import { replaceCredential } from '#app/engine/commands/connections/replace-credential.ts';
import { credentialContext } from '#app/engine/connections/connection-row.ts';
import { PeerError } from '#app/engine/connections/peer.ts';
import { BUILTIN_PATHS } from '#app/engine/connections/peer-target.ts';
import { secondPersonAgrees } from '#app/engine/control/request-control-change.ts';
import { workspaceNetwork } from '#app/engine/workspaces/workspace-network.ts';
import { CONNECTION_AREAS } from '#app/features/connections/connection-area.ts';
import { readConnection } from '#app/features/connections/load-connection.server.ts';
import { peerFailureMessage } from '#app/features/connections/peer-failure-message.server.ts';
import { rotateSchema } from '#app/features/connections/rotate-schema.ts';
import { signInPageOf } from '#app/features/connections/sign-in/sign-in-address.ts';
import { performAsMember } from '#app/perform.server.ts';

type Arguments = { params: { connection: string }; context: Readonly<RouterContextProvider>; kind: ConnectionKind };

export async function loadRotate(given: Arguments) {
  const { id, name } = await readRotatable(given);
  const asks = await given.context.get(memberContext).read(secondPersonAgrees);
  return { kind: given.kind, id, name, asks };
}

/** The new key must open the same door before the old one is let go, and where there is another person, they agree to it. */
export async function rotateAction({ request, ...given }: Arguments & { request: Request }) {
  const row = await readRotatable(given);
  const parsed = await parseForm(request, rotateSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const { member, read } = given.context.get(memberContext);
  const { engine } = given.context.get(servicesContext);
  const { token } = parsed.value;

  const privateNetwork = await read((db) => workspaceNetwork(db, member.workspace.id));
  try {
    await engine.inspectPeer({ kind: given.kind, endpoint: row.endpoint, credential: token, settings: row.settings, privateNetwork });
  } catch (error) {
    if (!(error instanceof PeerError)) throw error;
    return invalidForm(parsed.reply, { fieldErrors: { token: [peerFailureMessage(error.failure).text] } });
  }
  const sealed = engine.sealer.seal(token, credentialContext(row.id));
  const connection = { id: row.id, name: row.name };
  try {
    const outcome = await performAsMember(given.context, replaceCredential, { connection, sealed, reason: parsed.value.reason });
    if (outcome.state === 'requested') return toAskedChange(outcome.asked);
  } catch (error) {
    return refusedForm(parsed.reply, error);
  }
  return redirectWithNotice(href(`${CONNECTION_AREAS[given.kind].base}/:connection`, { connection: row.id }), 'connectionKeyRotated');
}

async function readRotatable(given: Arguments) {
  const { roles } = given.context.get(memberContext).member;
  if (!can(roles, 'manageConnection')) throw data({ code: 'forbidden' }, { status: 403 });
  const row = await readConnection(given);
  // Built-in connections use a token of the process.
  if (row.endpoint in BUILTIN_PATHS) throw data({ code: 'not_found' }, { status: 404 });
  // One that signs in has no key: its tokens are replaced by signing in again.
  if (signInOf(row.settings) !== null) throw redirect(signInPageOf(row.id));
  return row;
}
