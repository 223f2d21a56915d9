import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Json } from '#app/contracts/json.ts';
import { findTemplate, type WorkflowTemplateId } from '#app/domain/workflows/workflow-templates.ts';
import { voteApproval } from '#app/engine/approvals/vote-approval.ts';
import { answerHumanTask } from '#app/engine/commands/runs/answer-human-task.ts';
import { startBuiltinPeers } from '#app/engine/connections/builtin-peers.ts';
import { createPeers, type Peers } from '#app/engine/connections/call-peer.ts';
import { seedBuiltinConnections } from '#app/engine/connections/seed-builtin-connections.ts';
import { receiveEvent } from '#app/engine/runs/receive-event.ts';
import { createCallbacks } from '#app/platform/callbacks.server.ts';
import { createGuardedFetch } from '#app/platform/http/guarded-fetch.server.ts';
import { uploadFile } from '#tests/integration/runs/documents/upload-file.ts';
import { createRunFixture, type RunFixture, type Workspace } from '#tests/support/run-fixture.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

const TOKEN = 'a token of this test';
let database: TestDatabase;
let fixture: RunFixture;
let workspace: Workspace;
let builtin: Awaited<ReturnType<typeof startBuiltinPeers>>;
let guardedFetch: ReturnType<typeof createGuardedFetch>;
let peers: Peers;

beforeAll(async () => {
  database = await createTestDatabase();
  fixture = await createRunFixture(database);
  workspace = await fixture.makeWorkspace();
  builtin = await startBuiltinPeers({ host: '127.0.0.1', token: TOKEN });
  guardedFetch = createGuardedFetch({ allowedOrigins: () => [builtin.origin] });
  peers = createPeers({ fetch: guardedFetch, builtin: () => ({ origin: builtin.origin, token: TOKEN }) });
  await fixture.asMember(workspace, workspace.builder, async (db) => {
    await seedBuiltinConnections(db, {
      workspaceId: workspace.id,
      ownerId: workspace.builder.id,
      approvedBy: null,
      newId,
      now: () => new Date(),
    });
    return { result: null, event: { action: 'connection.created', resource: { kind: 'workspace', id: workspace.id } } };
  });
  await database.arrange(workspace.id, async (client) => {
    await client.query(
      'update quorate.capabilities set approved_fingerprint = fingerprint, approved_definition = definition where workspace_id = $1',
      [workspace.id],
    );
    await client.query('update quorate.connections set personal_data_allowed = true where workspace_id = $1', [workspace.id]);
  });
  await fixture.startWorker(peers.call, { callbacks: createCallbacks('a secret of the test that is long enough', 'https://quorate.test') });
});
afterAll(async () => {
  await fixture?.close();
  await peers?.close();
  await guardedFetch?.close();
  await builtin?.stop();
  await database?.close();
});

/** Answers the form that a run waits for. */
async function answerForm(runId: string, answer: { [name: string]: Json }) {
  const pending = () => database.owner.query(`select id from quorate.human_tasks where run_id = $1 and status = 'pending'`, [runId]);
  await expect.poll(async () => (await pending()).rowCount, { timeout: 20_000 }).toBe(1);
  const { rows } = await pending();
  await fixture.asMember(workspace, workspace.builder, (db) => {
    const call = { db, engine: { enqueueRun: fixture.enqueueRun }, principal: { workspace: { id: workspace.id } } };
    return answerHumanTask.change(call as unknown as Parameters<typeof answerHumanTask.change>[0], { task: rows[0].id, answer });
  });
}

/** Runs a template to its end; the approver says yes to whatever is asked, and the builder answers the `form`. Returns the result and what was asked. */
async function run(id: WorkflowTemplateId, input: { [name: string]: Json }, form?: { [name: string]: Json }) {
  const template = findTemplate(id);
  if (template === null) throw new Error(`no template ${id}`);
  const workflow = await fixture.makeWorkflow(workspace, template.document);
  const runId = await fixture.start(workspace, workflow, input);
  const asked: string[] = [];
  if (form !== undefined) await answerForm(runId, form);
  for (;;) {
    const row = await fixture.until(runId, ['completed', 'failed', 'waiting']);
    if (row.status !== 'waiting') {
      await expectKnownJurisdictions(runId);
      return { status: row.status as string, output: row.output, error: row.error, asked };
    }
    const { rows } = await database.owner.query(
      `select id, step_path, action_digest from quorate.approvals where run_id = $1 and status = 'pending'`,
      [runId],
    );
    for (const approval of rows) {
      asked.push(approval.step_path);
      await database.prove(workspace.approver, approval.id);
      await fixture.asMember(workspace, workspace.approver, async (db) => {
        await voteApproval(
          db,
          { enqueueRun: fixture.enqueueRun },
          { approvalId: approval.id, vote: 'approve', reason: '', digest: approval.action_digest },
        );
        return { result: null, event: { action: 'approval.approved', resource: { kind: 'approval', id: approval.id } } };
      });
    }
  }
}

/** What a template names to the agent is what the agent was asked. */
async function expectKnownJurisdictions(runId: string) {
  const { rows } = await database.owner.query(
    `select output->'jurisdictions' as known, output->'unknownJurisdictions' as unknown from quorate.steps where run_id = $1 and path ~ 'assess$' and status = 'success'`,
    [runId],
  );
  expect(rows.map(({ known, unknown }) => ({ known: known.toSorted(), unknown }))).toEqual([{ known: ['EU', 'US'], unknown: [] }]);
}

const payment = { amount: { amount: 1200, currency: 'EUR' }, purpose: 'Invoice 17', watchlist: 'Ivan Petrov\nJane Roe' };

test('a bank: a payee on the list stops the release, and no check, until an approver decides', async () => {
  const { status, output, asked } = await run('paymentScreening', { ...payment, payee: 'Ivan Petrov' });
  expect(status).toBe('completed');
  expect(output).toMatchObject({ released: true, hits: 1 });
  expect(asked).toEqual(['triage/certain_hit/release']);
});

test('a bank: a payee whom nobody knows goes through without a question', async () => {
  const { status, output, asked } = await run('paymentScreening', { ...payment, payee: 'Carla Mendez' });
  expect({ status, asked }).toEqual({ status: 'completed', asked: [] });
  expect(output).toMatchObject({ hits: 0 });
});

test('a hospital: nothing that identifies the patient leaves', async () => {
  const { status, output, error } = await run('dischargeLetter', {
    letter: 'The patient, reachable at maria@example.org or IBAN DE89 3704 0044 0532 0130 00, leaves the hospital in good health.',
    admitted: '2026-11-02',
    discharged: '2026-11-09',
  });
  expect({ status, error }).toEqual({ status: 'completed', error: null });
  expect(output).toMatchObject({ masked: 2, left: 0, days: 7 });
  expect(JSON.stringify(output)).not.toContain('maria@example.org');
});

test('a public office: an officer decides on exactly the record that will be released', async () => {
  const { status, output, asked } = await run('recordsRequest', {
    request: 'I ask for the record of the inspection.',
    record: 'Inspected on site. Contact: clerk@example.org.',
    received: '2026-11-01',
    today: '2026-11-20',
  });
  expect({ status, asked }).toEqual({ status: 'completed', asked: ['release'] });
  expect(output).toMatchObject({ daysUsed: 19, late: false });
  expect(JSON.stringify(output)).not.toContain('clerk@example.org');
});

test('a new customer: asked for documents until they are complete, the run waits for the signature, and a person opens the account', async () => {
  const template = findTemplate('customerOnboarding');
  if (template === null) throw new Error('no template');
  const runId = await fixture.start(
    workspace,
    await fixture.makeWorkflow(workspace, template.document),
    template.document.samples?.[0]?.input,
  );
  for (const complete of [false, true]) await answerForm(runId, { complete, missing: complete ? '' : 'A proof of address' });
  expect(await database.database.app((db) => receiveEvent(db, fixture, { runId, stepId: 'signed', body: { contract: 'C-7' } }))).toBe(
    'received',
  );
  const asked = () =>
    database.owner.query(`select id, action_digest from quorate.approvals where run_id = $1 and status = 'pending'`, [runId]);
  await expect.poll(async () => (await asked()).rowCount, { timeout: 20_000 }).toBe(1);
  const { rows } = await asked();
  await fixture.asMember(workspace, workspace.approver, async (db) => {
    const [{ id, action_digest: digest }] = rows;
    await voteApproval(db, { enqueueRun: fixture.enqueueRun }, { approvalId: id, vote: 'approve', reason: '', digest });
    return { result: null, event: { action: 'approval.approved', resource: { kind: 'approval', id } } };
  });
  expect(await fixture.until(runId, ['completed', 'failed'])).toMatchObject({
    status: 'completed',
    output: { customer: 'Harbour Logistics', rounds: 2, hits: 0, signedAt: expect.any(String) },
  });
});

test('a contract: its text is read, or asked for where there is none, and a Word document keeps what a person has decided on', async () => {
  const words = 'The supplier processes personal data of patients in the European Union, and an AI system decides on credit.';
  const file = async (text: string) => (await uploadFile({ database, runs: fixture, workspace }, 'contract.txt', text)) as Json;
  const counterparty = 'Harbour Logistics';
  const outcome = { status: 'completed', error: null, asked: ['decide'] };
  const read = await run('contractReview', { counterparty, contract: await file(words) });
  expect(read).toMatchObject(outcome);
  for (const input of [{ counterparty }, { counterparty, contract: await file(' ') }]) {
    const typed = await run('contractReview', input as { [name: string]: Json }, { text: words });
    expect(typed).toMatchObject(outcome);
    expect(typed.output.obligations).toBe(read.output.obligations);
  }
  expect(read.output).toMatchObject({ document: { name: 'Harbour Logistics.docx', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) } });
  expect(read.output.obligations).toBeGreaterThan(0);
});
