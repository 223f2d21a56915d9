import type { CommandCall } from '#app/engine/commands/command.ts';
import { type GatewayShape, type GatewayTarget, gatewayDocument } from '#app/engine/gateways/gateway-document.ts';
import { freezeVersion } from '#app/engine/workflows/freeze-version.ts';

/** Freezes what each call of a tool runs, as the newest version of its gateway. Returns the id of the version. */
export async function freezeTool(call: CommandCall, gateway: string, target: GatewayTarget, shape: GatewayShape): Promise<string> {
  const { db, principal, newId, now } = call;
  const version = await freezeVersion(db, {
    id: newId(),
    workspaceId: principal.workspace.id,
    artifactId: gateway,
    authorId: principal.userId,
    document: gatewayDocument(target, shape),
    publish: true,
  });
  await db
    .updateTable('quorate.artifacts')
    .set({ published_version_id: version.id, updated_at: now() })
    .where('id', '=', gateway)
    .execute();
  return version.id;
}
