/** Comments, questions and answers under an approval: who may write what, who is told, and what is left when a person is erased. */
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Principal } from '#app/contracts/principals.ts';
import { Refusal } from '#app/domain/refusal.ts';
import { readOpenQuestion } from '#app/engine/approvals/read-open-question.ts';
import { recordEvent } from '#app/engine/audit/record-event.ts';
import { answerQuestion } from '#app/engine/commands/approvals/answer-question.ts';
import { askBack } from '#app/engine/commands/approvals/ask-back.ts';
import { commentOnApproval } from '#app/engine/commands/approvals/comment-on-approval.ts';
import type { CommandDeps } from '#app/engine/commands/command.ts';
import { perform } from '#app/engine/commands/perform.ts';
import { digestOf } from '#app/engine/runs/steps/digest.ts';
import { readTalk } from '#app/features/approvals/talk/read-talk.server.ts';
import { createTestDatabase, type TestDatabase, type TestMember, type TestWorkspace } from '#tests/support/test-database.ts';

let test: TestDatabase;
let workspace: TestWorkspace;
let elsewhere: { workspace: TestWorkspace; admin: TestMember };
type Name = 'requester' | 'other' | 'author' | 'approver' | 'second' | 'auditor';
let people: Record<Name, TestMember>;

beforeAll(async () => {
  test = await createTestDatabase();
  const names: Record<Name, TestMember['roles']> = {
    requester: ['user'],
    other: ['user'],
    author: ['user', 'builder', 'approver'],
    approver: ['user', 'approver'],
    second: ['user', 'approver'],
    auditor: ['user', 'auditor'],
  };
  const made = await test.makeWorkspace({ members: Object.entries(names).map(([name, roles]) => ({ roles, name: `Test ${name}` })) });
  workspace = made;
  people = Object.fromEntries(Object.keys(names).map((name, place) => [name, made.members[place]])) as typeof people;
  const { members, ...other } = await test.makeWorkspace({ members: [{ roles: ['user', 'approver', 'admin'] }] });
  elsewhere = { workspace: other, admin: members[0] as TestMember };
});
afterAll(() => test.close());

/** An approval of a run that `requester` has started. */
async function makeApproval(requester = people.requester): Promise<{ approval: string; run: string }> {
  const [artifact, version, run, approval] = [newId(), newId(), newId(), newId()];
  const author = people.author.id;
  await test.arrange(workspace.id, async (client) => {
    await client.query(`insert into quorate.artifacts (id, workspace_id, kind, name, owner_id) values ($1, $2, 'workflow', 'Flow', $3)`, [
      artifact,
      workspace.id,
      author,
    ]);
    await client.query(
      `insert into quorate.versions (id, workspace_id, artifact_id, number, document, content_hash, author_id) values ($1, $2, $3, 1, '{}', 'h', $4)`,
      [version, workspace.id, artifact, author],
    );
    await client.query(
      `insert into quorate.runs (id, workspace_id, artifact_id, version_id, mode, initiator_id, status) values ($1, $2, $3, $4, 'live', $5, 'waiting')`,
      [run, workspace.id, artifact, version, requester.id],
    );
    await client.query(
      `insert into quorate.approvals (id, workspace_id, run_id, step_path, title, subject, action_digest, reason, risk, requested_by, version_author_id, due_at)
       values ($1, $2, $3, 'send', 'Send it', '{}', 'd', '{"key":"policyAllowed","values":{}}', 'low', $4, $5, now() + interval '1 day')`,
      [approval, workspace.id, run, requester.id, author],
    );
  });
  return { approval, run };
}

const who = (member: TestMember, workspaceId = workspace.id) => ({ userId: member.id, sessionId: member.sessionId, workspaceId });
const principal = (member: TestMember, workspaceId = workspace.id): Principal => ({
  workspace: { id: workspaceId, name: '' },
  userId: member.id,
  name: member.name,
  roles: member.roles,
  scopes: null,
  read: (work) => test.database.asMember(who(member, workspaceId), work),
  change: (work) =>
    test.database.asMember(who(member, workspaceId), async (db) => {
      const { result, event } = await work(db);
      const actor = { kind: 'member' as const, id: member.id, name: member.name };
      await recordEvent(db, { id: newId(), actor, workspaceId, entry: event });
      return result;
    }),
});
const deps = { engine: {}, newId: () => newId(), now: () => new Date() } as unknown as CommandDeps;

const comment = (member: TestMember, approval: string, text = 'A remark', workspaceId = workspace.id) =>
  perform(commentOnApproval, principal(member, workspaceId), deps, { approval, text });
const ask = (member: TestMember, approval: string, text = 'Which invoice is it?') =>
  perform(askBack, principal(member), deps, { approval, text });
const answer = (member: TestMember, approval: string, question: string, text = 'Number 17') =>
  perform(answerQuestion, principal(member), deps, { approval, question, text });
const talkOf = (member: TestMember, approval: string, requester = people.requester) =>
  test.database.asMember(who(member), (db) => readTalk(db, { id: approval, requested_by: requester.id }, member.id), { readOnly: true });
const questionsOf = async (approval: string) =>
  (await talkOf(people.auditor, approval)).entries.filter(({ kind }) => kind === 'question').map(({ id }) => id);

/** The key of the reason why it was refused. */
async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Refusal)) throw error ?? new Error('it was not refused');
  return error.reasons[0]?.key ?? '';
}
const told = async (member: TestMember, approval: string) =>
  (
    await test.owner.query<{ told: string }>(
      `select subject ->> 'key' || case when read_at is null then '' else ' read' end as told from quorate.notifications
       where user_id = $1 and subject #>> '{about,id}' = $2 order by created_at, id`,
      [member.id, approval],
    )
  ).rows.map((row) => row.told);

describe('a comment', () => {
  it('is written by everyone who sees the approval, and stands in order for all of them', async () => {
    const { approval } = await makeApproval();
    for (const member of [people.auditor, people.requester, people.author]) await comment(member, approval, `From ${member.name}`);
    for (const reader of [people.approver, people.requester])
      expect((await talkOf(reader, approval)).entries).toMatchObject([
        { kind: 'comment', author: 'Test auditor', text: 'From Test auditor' },
        { author: 'Test requester', text: 'From Test requester' },
        { author: 'Test author', text: 'From Test author' },
      ]);
    expect(await told(people.requester, approval)).toEqual([]);
  });

  it('is neither written nor read by those who do not see the approval', async () => {
    const { approval } = await makeApproval();
    await comment(people.auditor, approval);
    expect(await refusal(comment(people.other, approval))).toBe('approval.unknown');
    expect((await talkOf(people.other, approval)).entries).toEqual([]);
    expect(await refusal(comment(elsewhere.admin, approval, 'Let me in', elsewhere.workspace.id))).toBe('approval.unknown');
    const rows = await test.database.asMember(who(elsewhere.admin, elsewhere.workspace.id), (db) =>
      db.selectFrom('quorate.approval_comments').selectAll().execute(),
    );
    expect(rows).toEqual([]);
  });

  it('leaves its digest in the log, and not its text', async () => {
    const { approval, run } = await makeApproval();
    await comment(people.auditor, approval, '  A secret remark  ');
    const { rows } = await test.owner.query(
      `select resource_kind, resource_name, payload from quorate.audit_events where action = 'approval.commented' and resource_id = $1`,
      [approval],
    );
    const payload = { run, step: 'send', comment: expect.any(String), textDigest: digestOf('A secret remark') };
    expect(rows).toEqual([{ resource_kind: 'approval', resource_name: 'Send it', payload }]);
  });

  it('changes nothing of the approval, and is refused beyond the most that a page shows', async () => {
    const { approval } = await makeApproval();
    const standing = async () => (await test.owner.query('select * from quorate.approvals where id = $1', [approval])).rows;
    const before = await standing();
    await comment(people.auditor, approval);
    await ask(people.approver, approval);
    await answer(people.requester, approval, (await questionsOf(approval))[0] ?? '');
    expect(await standing()).toEqual(before);
    await test.arrange(workspace.id, async (client) => {
      await client.query(
        `insert into quorate.approval_comments (id, workspace_id, approval_id, author_id, author_name, kind, text)
         select gen_random_uuid(), $1, $2, $3, 'A', 'comment', 'One of many' from generate_series(1, 497)`,
        [workspace.id, approval, people.auditor.id],
      );
    });
    expect(await refusal(comment(people.auditor, approval))).toBe('comment.full');
  });
});

describe('a question', () => {
  it('is asked by whoever may decide, of the requester, who is told', async () => {
    const { approval, run } = await makeApproval();
    const waits = (member: TestMember) => test.database.asMember(who(member), (db) => readOpenQuestion(db, run, member.id));
    for (const member of [people.author, people.auditor, people.requester])
      expect([await refusal(ask(member, approval)), (await talkOf(member, approval)).mayAsk]).toEqual(['comment.mayNotAsk', false]);
    expect(await waits(people.requester)).toBeNull();
    await ask(people.approver, approval);
    expect(await told(people.requester, approval)).toEqual(['notifyApprovalQuestion']);
    expect(await talkOf(people.second, approval)).toMatchObject({ state: 'open', mayAsk: true, toAnswer: null });
    expect(await talkOf(people.requester, approval)).toMatchObject({ state: 'open', toAnswer: (await questionsOf(approval))[0] });
    expect([await waits(people.requester), await waits(people.approver)]).toEqual([approval, null]);
  });

  it('is answered once, by the requester alone, and whoever asked is told', async () => {
    const { approval, run } = await makeApproval();
    await ask(people.approver, approval, 'Which invoice?');
    await ask(people.second, approval, 'Which month?');
    const [first = '', second = ''] = await questionsOf(approval);
    expect(await refusal(answer(people.author, approval, first))).toBe('comment.mayNotAnswer');
    await answer(people.requester, approval, first);
    expect(await refusal(answer(people.requester, approval, first))).toBe('comment.answered');
    expect([await told(people.approver, approval), await told(people.second, approval)]).toEqual([
      ['notifyApprovalWaiting', 'notifyApprovalAnswer'],
      ['notifyApprovalWaiting'],
    ]);
    expect(await told(people.requester, approval)).toEqual(['notifyApprovalQuestion read', 'notifyApprovalQuestion']);
    expect(await talkOf(people.requester, approval)).toMatchObject({ state: 'open', toAnswer: second });
    await answer(people.requester, approval, second);
    expect(await talkOf(people.requester, approval)).toMatchObject({ state: 'answered', toAnswer: null });
    expect(await test.database.asMember(who(people.requester), (db) => readOpenQuestion(db, run, people.requester.id))).toBeNull();
  });

  it('belongs to its approval: another one answers nothing under it', async () => {
    const [one, other] = [await makeApproval(), await makeApproval()];
    await ask(people.approver, one.approval);
    const [question = ''] = await questionsOf(one.approval);
    expect(await refusal(answer(people.requester, other.approval, question))).toBe('comment.mayNotAnswer');
  });

  it('is not asked once the approval is decided, and then nobody is told of it any longer', async () => {
    const { approval } = await makeApproval();
    await ask(people.approver, approval);
    await test.arrange(workspace.id, async (client) => {
      await client.query(`update quorate.approvals set status = 'approved', decided_at = now() where id = $1`, [approval]);
    });
    expect(await refusal(ask(people.approver, approval))).toBe('comment.mayNotAsk');
    expect((await told(people.requester, approval))[0]).toBe('notifyApprovalQuestion read');
    await comment(people.approver, approval, 'Decided on the phone');
  });
});

describe('a person who is erased', () => {
  it('leaves neither name nor words, and no name in the words of others', async () => {
    const { approval } = await makeApproval();
    const zora = await test.makeUser({ email: 'zora.quell@example.com', name: 'Zora Quell' });
    const sessionId = await test.makeSession(zora.id);
    await test.arrange(workspace.id, async (client) => {
      await client.query(`insert into quorate.members (workspace_id, user_id, roles, name, email) values ($1, $2, '{auditor}', $3, $4)`, [
        workspace.id,
        zora.id,
        zora.name,
        zora.email,
      ]);
    });
    const member: TestMember = { ...zora, sessionId, roles: ['auditor'] };
    await comment(member, approval, 'I know the payee');
    await comment(people.auditor, approval, 'As zora quell says, write to zora.quell@example.com');
    const own = await test.database.asMember(who(member), async (db) => {
      const found = await db.selectFrom('quorate.approval_comments').select('text').where('author_id', '=', zora.id).execute();
      return found.map(({ text }) => text);
    });
    expect(own).toEqual(['I know the payee']);
    await test.owner.query('update quorate.audit_events set leaf_index = 3000000 + xid::text::bigint % 1000000 where leaf_index is null');
    await test.owner.query('select quorate.delete_account($1, $2)', [zora.id, sessionId]);
    expect((await talkOf(people.auditor, approval)).entries).toMatchObject([
      { author: '', text: '' },
      { author: 'Test auditor', text: 'As  says, write to ' },
    ]);
    expect(JSON.stringify((await test.owner.query('select * from quorate.notifications')).rows)).not.toContain('Zora');
  });

  it('is the only one to change a comment: no word is put in, and none by a member', async () => {
    const { approval } = await makeApproval();
    await comment(people.auditor, approval);
    await expect(
      test.owner.query(`update quorate.approval_comments set text = 'Another remark' where approval_id = $1`, [approval]),
    ).rejects.toMatchObject({ code: 'QA003' });
    await expect(
      test.database.asMember(who(people.auditor), (db) =>
        db.updateTable('quorate.approval_comments').set({ text: '' }).where('approval_id', '=', approval).execute(),
      ),
    ).rejects.toMatchObject({ code: 'forbidden' });
  });
});
