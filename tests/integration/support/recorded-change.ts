import { v7 as newId } from 'uuid';
import type { MemberAccess } from '#app/contracts/access.ts';
import { recordEvent } from '#app/engine/audit/record-event.ts';
import type { TestDatabase, TestMember } from '#tests/support/test-database.ts';

/** A member's changes as the product commits them: with their event, or not at all. */
export function recordedChange(test: TestDatabase, member: TestMember, workspaceId: string): MemberAccess['change'] {
  return (work) =>
    test.database.asMember({ userId: member.id, sessionId: member.sessionId, workspaceId }, async (tx) => {
      const { result, event } = await work(tx);
      const actor = { kind: 'member', id: member.id, name: member.name } as const;
      await recordEvent(tx, { id: newId(), actor, workspaceId, entry: event });
      return result;
    });
}
