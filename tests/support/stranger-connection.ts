import { v7 as newId } from 'uuid';
import { addConnection } from '#app/engine/connections/add-connection.ts';
import { approveCapabilities, holdShown } from '#app/engine/connections/approve-capabilities.ts';
import type { Peers } from '#app/engine/connections/call-peer.ts';
import { LOOPBACK_LIST } from '#tests/support/loopback.ts';
import type { RunFixture, Workspace } from '#tests/support/run-fixture.ts';

type Wanted = { fixture: RunFixture; workspace: Workspace; peers: Peers; endpoint: string; name?: string };

/** A connection to an MCP server of a stranger, inspected and kept as members keep one. */
export async function connectStranger({ fixture, workspace, peers, endpoint, name = 'A stranger' }: Wanted) {
  const inspection = await peers.inspect({ kind: 'mcp', endpoint, credential: null, privateNetwork: LOOPBACK_LIST });
  const id = newId();
  const { builder } = workspace;
  await fixture.asMember(workspace, builder, (db) =>
    addConnection(
      db,
      { id, workspaceId: workspace.id, ownerId: builder.id, kind: 'mcp', name, description: '', endpoint, sealedCredential: null },
      inspection,
      { newId, at: new Date() },
    ),
  );
  return { id, name, workspaceId: workspace.id };
}

/** Everything that a connection offers, approved by the approver. */
export async function approveEverything(fixture: RunFixture, workspace: Workspace, connection: { id: string; name: string }) {
  const { approver } = workspace;
  await fixture.asMember(workspace, approver, async (db) => {
    const shown = await db
      .selectFrom('quorate.capabilities')
      .where('connection_id', '=', connection.id)
      .select(['id', 'fingerprint'])
      .execute();
    const held = await holdShown(db, connection.id, shown);
    return approveCapabilities(db, { ...connection, workspaceId: workspace.id }, held, { approverId: approver.id, at: new Date() });
  });
}
