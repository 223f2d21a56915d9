/** A person's word that a control operates: by whom, what a pack of an earlier period knew of it, and that nobody changes it. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { attestControl } from '#app/engine/commands/compliance/attest-control.ts';
import { perform } from '#app/engine/commands/perform.ts';
import { readAttestations } from '#app/engine/compliance/read-attestations.ts';
import { readPackScope } from '#app/engine/packs/pack-scope.ts';
import { type ApprovalDesk, openApprovalDesk } from '#tests/integration/support/approval-desk.ts';
import type { TestMember } from '#tests/support/test-database.ts';

let desk: ApprovalDesk;
beforeAll(async () => {
  desk = await openApprovalDesk();
});
afterAll(() => desk.test.close());

const attest = (by: TestMember, note: string, months = 3) =>
  perform(attestControl, desk.principal(by), desk.deps, { control: 'stop', note, months });
const last = (by: TestMember, before = new Date(Date.now() + 1000)) =>
  desk.as(by, async (db) => (await readAttestations(db, desk.workspaceId, before)).get('stop'));

it('is given by approvers and admins, read by every member, and replaced by the next one', async () => {
  const { ada, admin, plain, author } = desk.people;
  await expect(attest(plain, 'Tried it')).rejects.toMatchObject({ code: 'forbidden' });
  await expect(attest(ada, 'Tried it', 5)).rejects.toMatchObject({ code: 'invalid_input' });
  await attest(ada, 'Tried it');
  await attest(admin, 'Tried it again', 12);
  for (const reader of [plain, author]) expect(await last(reader)).toMatchObject({ by: admin.name, note: 'Tried it again', months: 12 });
  await expect(desk.test.owner.query(`update quorate.attestations set months = 36`)).rejects.toMatchObject({ code: 'QA003' });
});

it('stands in a pack as it was at the end of its period', async () => {
  const { plain, ada } = desk.people;
  await desk.test.arrange(desk.workspaceId, async (client) => {
    await client.query('delete from quorate.attestations');
    await client.query(
      `insert into quorate.attestations (id, workspace_id, control, note, months, attested_by, attested_at)
       values (gen_random_uuid(), $1, 'stop', 'In spring', 3, $2, '2026-03-10T10:00Z')`,
      [desk.workspaceId, ada.id],
    );
  });
  const stop = (from: string, until: string) =>
    desk.as(plain, async (db) => {
      const question = { framework: 'ai-act', from, until, seed: '' };
      const scope = await readPackScope(db, {
        question,
        workspace: { id: desk.workspaceId, name: 'W' },
        at: new Date('2026-11-27T12:00Z'),
      });
      return scope?.controls.find(({ id }) => id === 'stop')?.attested;
    });
  expect(await stop('2026-01-01', '2026-02-28')).toBeNull();
  expect(await stop('2026-03-01', '2026-03-31')).toMatchObject({ by: ada.name, stale: false });
  expect(await stop('2026-06-01', '2026-06-30')).toMatchObject({ note: 'In spring', stale: true });
});
