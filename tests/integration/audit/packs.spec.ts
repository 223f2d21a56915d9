/** An evidence pack: what it counts, what it draws, and that nobody changes it unseen (decision 61). */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { RouterContextProvider } from 'react-router';
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { memberContext, type Services, servicesContext } from '#app/contracts/request-context.ts';
import { vkey } from '#app/domain/audit/checkpoint.ts';
import type { PackRecord } from '#app/domain/audit/pack-records.ts';
import { readExportQuery } from '#app/domain/control/evidence-export-schema.ts';
import { placeEvents } from '#app/engine/audit/place-events.ts';
import { packNote } from '#app/engine/packs/sign-pack.ts';
import { downloadPack } from '#app/features/audit/packs/download-pack.server.ts';
import { loadPack } from '#app/features/audit/packs/load-pack.server.ts';
import { verifyEvidence } from '#app/features/audit/verifier/verify-evidence.ts';
import { createLogSigner } from '#app/platform/crypto.server.ts';
import { allowExport } from '#tests/integration/support/control-desk.ts';
import { openPackHistory, type PackHistory } from '#tests/integration/support/pack-history.ts';
import { recordedChange } from '#tests/integration/support/recorded-change.ts';
import { createTestDatabase, type TestDatabase, type TestMember } from '#tests/support/test-database.ts';

const signer = createLogSigner('a secret of this test alone', 'log.test');
const key = vkey(signer.name, signer.publicKey, (bytes) => new Uint8Array(createHash('sha256').update(bytes).digest()));
const OCTOBER = '?framework=ai-act&from=2026-10-01&until=2026-10-31&seed=auditor-7';
let test: TestDatabase;
let history: PackHistory;
let made: Record<'allowed' | 'released' | 'denied' | 'late', Awaited<ReturnType<PackHistory['addRun']>>>;

beforeAll(async () => {
  test = await createTestDatabase();
  history = await openPackHistory(test);
  const { addRun, addEntry, workspace } = history;
  made = {
    allowed: await addRun({ verdict: 'allow', decidedAt: '2026-10-05T10:00:00Z', finishedAt: '2026-10-05T10:00:01Z' }),
    released: await addRun({
      ...{ verdict: 'require_approval', decidedAt: '2026-10-06T10:00:00Z', finishedAt: '2026-10-06T11:00:01Z' },
      approval: { decidedAt: '2026-10-06T10:30:00Z', consumedAt: '2026-10-06T11:00:00Z' },
    }),
    denied: await addRun({ verdict: 'deny', decidedAt: '2026-10-07T10:00:00Z', finishedAt: '2026-10-07T10:00:00Z' }),
    // A call that was over before anybody approved of it: no run of ours does that, and the pack would say so.
    late: await addRun({
      ...{ verdict: 'require_approval', decidedAt: '2026-10-08T12:00:00Z', finishedAt: '2026-10-08T11:00:00Z' },
      approval: { decidedAt: '2026-10-08T12:30:00Z', consumedAt: '2026-10-08T11:00:00Z' },
    }),
  };
  await addRun({ verdict: 'allow', decidedAt: '2026-10-09T10:00:00Z', finishedAt: '2026-10-09T10:00:01Z', mode: 'test' });
  await addRun({ verdict: 'allow', decidedAt: '2026-11-01T00:00:00Z', finishedAt: '2026-11-01T00:00:01Z' });
  await addEntry({ action: 'policy.paused', kind: 'policy', id: newId(), at: '2026-10-10T10:00:00Z', payload: { separated: false } });
  await addEntry({
    action: 'breakGlass.started',
    kind: 'change',
    id: newId(),
    at: '2026-10-11T10:00:00Z',
    payload: { breakGlass: [newId()] },
  });
  for (let n = 0; n < 40; n++)
    await addEntry({
      action: 'policy.draftSaved',
      kind: 'policy',
      id: newId(),
      at: `2026-10-12T10:00:${String(n % 20).padStart(2, '0')}Z`,
    });
  await addEntry({ action: 'connection.checked', kind: 'connection', id: newId(), at: '2026-10-31T23:59:59.999Z' });
  await test.database.asWorker(workspace, (db) => placeEvents(db, workspace, signer, null));
});
afterAll(() => test.close());

function contextOf(member: TestMember) {
  const who = { userId: member.id, sessionId: member.sessionId, workspaceId: history.workspace };
  const context = new RouterContextProvider();
  context.set(memberContext, {
    member: {
      ...{ userId: member.id, sessionId: member.sessionId, email: member.email, name: member.name, roles: member.roles },
      workspace: { id: history.workspace, name: 'Ledger Bank', slug: 'ledger', haltedAt: null, isDemo: false },
    },
    read: (work) => test.database.asMember(who, work, { readOnly: true }),
    change: recordedChange(test, member, history.workspace),
  });
  const engine = { signer, signPack: (workspace: string, digest: string) => packNote(signer, workspace, digest) };
  const now = () => new Date('2026-11-15T12:00:00Z');
  context.set(servicesContext, { engine, now, newId, origin: 'https://quorate.example' } as unknown as Services);
  return context;
}
const page = async (query: string, member = history.auditor) =>
  (await loadPack({ url: new URL(`http://x/dashboard/audit/packs${query}`), context: contextOf(member) })).data;
const taken = async (name: string, query = OCTOBER, member = history.auditor) =>
  (
    await downloadPack({
      url: new URL(`http://x/dashboard/audit/packs/${name}${query}`),
      context: contextOf(member),
      params: { file: name },
    })
  ).text();
/** The same once another person has agreed to the pack. */
async function file(name: string, query = OCTOBER, member = history.auditor): Promise<string> {
  const asked = readExportQuery(new URLSearchParams(`kind=pack&${query.slice(1)}`));
  if (asked !== null) await allowExport(test, history.workspace, member.id, asked);
  return taken(name, query, member);
}
const control = async (id: string) => (await page(OCTOBER)).pack?.controls.find((one) => one.id === id);

type PackJson = { pack: Record<string, unknown> & { records: PackRecord[]; oscal: unknown } };
const readPack = async (query = OCTOBER): Promise<PackJson> => JSON.parse(await file('pack.json', query));
const verify = async (bundle: unknown) => {
  const { verdict, checks } = await verifyEvidence(bundle, { key });
  return { verdict, failed: checks.filter(({ state }) => state === 'failed').map(({ code }) => code) };
};

it('leaves after the log says who took it, and what was asked for', async () => {
  const exported = async () =>
    (await test.owner.query(`select actor_id, payload from quorate.audit_events where action = 'evidence.exported' order by id`)).rows;
  const before = (await exported()).length;
  await page(OCTOBER);
  expect(await exported()).toHaveLength(before);
  // nothing leaves, and nothing is said, before another person has agreed
  const refused = await taken('records.csv').catch((answer: Response) => answer);
  expect(refused).toMatchObject({ status: 303 });
  expect((refused as Response).headers.get('location')).toBe(
    '/dashboard/audit/export?kind=pack&framework=ai-act&from=2026-10-01&until=2026-10-31&seed=auditor-7',
  );
  expect(await exported()).toHaveLength(before);
  await file('records.csv');
  expect((await exported()).slice(before)).toEqual([
    {
      actor_id: history.auditor.id,
      payload: {
        change: expect.any(String),
        ...{ kind: 'pack', file: 'quorate-ai-act-2026-10-01-2026-10-31-records.csv' },
        ...{ framework: 'ai-act', from: '2026-10-01', until: '2026-10-31', seed: 'auditor-7' },
      },
    },
  ]);
  // A builder, who may take none, is refused before, and the log says nothing of it.
  await expect(file('records.csv', OCTOBER, history.builder)).rejects.toBeDefined();
  expect(await exported()).toHaveLength(before + 1);
});

describe('the page of a pack', () => {
  it('counts what shows a control, and what of it stood before the act', async () => {
    expect((await control('oversight'))?.tally).toMatchObject({
      ...{ population: 4, decisions: 2, approvals: 2, denials: 0, before: 2, after: 2, noAct: 0 },
      exceptions: { afterAct: 2 },
    });
    expect((await control('explained'))?.tally).toMatchObject({ population: 4, decisions: 4, denials: 1, before: 2, after: 1, noAct: 1 });
  });

  it('names exceptions, one person alone and break-glass', async () => {
    const { pack } = await page('?framework=iso-27001&from=2026-10-01&until=2026-10-31&seed=1');
    const all = pack?.controls.flatMap(({ sample }) => sample) ?? [];
    const find = (what: string) => all.find((record) => record.what === what);
    expect(find('deny')).toMatchObject({ shows: 'denial', exceptions: ['denied'], before: null });
    expect(find('breakGlass.started')).toMatchObject({ exceptions: ['overridden'], breakGlass: true });
  });

  it('keeps to the period to the millisecond, and leaves out test runs', async () => {
    const { records } = (await readPack()).pack;
    expect(records.filter(({ kind }) => kind === 'decision').map(({ id }) => id)).toEqual([
      made.allowed.decision,
      made.released.decision,
      made.denied.decision,
      made.late.decision,
    ]);
    expect(records.every(({ at }) => at >= '2026-10-01' && at < '2026-11-01')).toBe(true);
  });

  it('says that nothing is there in a period without anything', async () => {
    const { pack } = await page('?framework=ai-act&from=2025-01-01&until=2025-01-31&seed=1');
    expect(pack).toMatchObject({ recordCount: 0, isOpen: false });
  });

  it.each([
    ['?framework=no-such-law&from=2026-10-01&until=2026-10-31', ['framework']],
    ['?framework=ai-act&from=2026-10-32&until=2026-10-31', ['from']],
    ['?framework=ai-act&from=2026-10-31&until=2026-10-01', ['until']],
    ['?framework=ai-act&from=2026-10-01&until=2026-12-01', ['until']],
    ['?framework=ai-act&from=2026-10-01&until=2026-10-31&seed=a+b', ['seed']],
  ])('names what is wrong: %s', async (query, wrong) => {
    expect(await page(query)).toMatchObject({ wrong, pack: null });
    await expect(file('pack.json', query)).rejects.toMatchObject({ init: { status: 400 } });
  });

  it('fills in a seed that the log gives, the same each time', async () => {
    const asked = '?framework=ai-act&from=2026-10-01&until=2026-11-15';
    const { typed } = await page(asked);
    expect(typed.seed).toMatch(/^[0-9a-f]{16}$/);
    expect((await page(asked)).typed.seed).toBe(typed.seed);
  });

  it('is for those who may export evidence', async () => {
    for (const member of [history.plain, history.builder, history.approver]) {
      await expect(page(OCTOBER, member)).rejects.toMatchObject({ code: 'forbidden' });
      await expect(file('records.csv', OCTOBER, member)).rejects.toMatchObject({ code: 'forbidden' });
    }
  });
});

describe('the file of a pack', () => {
  it('is proven by the verifier, and is the same for the same question', async () => {
    const text = await file('pack.json');
    expect(await verify(JSON.parse(text))).toEqual({ verdict: 'proven', failed: [] });
    expect(await file('pack.json')).toBe(text);
  });

  it('holds what the page shows', async () => {
    const [{ pack }, { pack: shown }] = [await readPack(), await page(OCTOBER)];
    expect(pack.recordsDigest).toBe(shown?.digest);
    expect((pack.controls as { sample: string[] }[]).map(({ sample }) => sample)).toEqual(
      shown?.controls.map(({ sample }) => sample.map(({ id }) => id)),
    );
  });

  it('is open about a decision whose run is not closed', async () => {
    const { decision } = await history.addRun({
      ...{ verdict: 'allow', decidedAt: '2026-09-05T10:00:00Z', finishedAt: '2026-09-05T10:00:01Z', closed: false },
    });
    const report = await verifyEvidence(await readPack('?framework=ai-act&from=2026-09-01&until=2026-09-30&seed=1'), { key });
    expect(report.verdict).toBe('incomplete');
    expect(report.checks).toContainEqual({ code: 'packDecisionOpen', state: 'unknown', values: { id: decision } });
  });

  const first = (bundle: PackJson) => bundle.pack.records[0] as PackRecord;
  it.each<[string, (bundle: PackJson) => void, string[]]>([
    ['a record', (bundle) => Object.assign(first(bundle), { by: 'Somebody else' }), ['packRecordsChanged']],
    ['a record that is left out', (bundle) => bundle.pack.records.splice(2, 1), ['packRecordsChanged', 'packSampleDiffers']],
    ['the seed', (bundle) => Object.assign(bundle.pack, { seed: 'another' }), ['packForged', 'packSampleDiffers']],
    ['a count', (bundle) => Object.assign((bundle.pack.controls as { counts: object }[])[0]?.counts ?? {}, { after: 0 }), ['packForged']],
    ['the OSCAL', (bundle) => Object.assign(bundle.pack, { oscal: {} }), ['packForged']],
    [
      'the signature',
      (bundle) => Object.assign(bundle.pack, { signature: packNote(signer, newId(), bundle.pack.digest as string) }),
      ['packForged'],
    ],
    [
      'a verdict',
      (bundle) => {
        const [one] = bundle.pack.decisions as { record: { verdict: string } }[];
        if (one !== undefined) one.record.verdict = 'deny';
      },
      ['packForged', 'packRecordUnproven'],
    ],
    [
      'an entry that is drawn and not proven',
      (bundle) => Object.assign(bundle, { events: (bundle as unknown as { events: unknown[] }).events.slice(1) }),
      ['packRecordUnproven'],
    ],
  ])('names what was changed: %s', async (_, change, codes) => {
    const bundle = await readPack();
    change(bundle);
    const { verdict, failed } = await verify(bundle);
    expect(verdict).toBe('failed');
    expect([...new Set(failed)].sort()).toEqual(codes);
  });

  it('holds OSCAL assessment results by the schema of NIST, as does the file of its own', async () => {
    const schema = JSON.parse(await readFile(new URL('../fixtures/oscal/assessment-results-1.1.3.schema.json', import.meta.url), 'utf8'));
    const ajv = new Ajv({ strict: false, allErrors: true });
    addFormats.default(ajv);
    const validate = ajv.compile(schema);
    const inPack = (await readPack()).pack.oscal;
    expect([validate(inPack), validate.errors]).toEqual([true, null]);
    expect(JSON.parse(await file('oscal.json'))).toEqual(inPack);
    const empty = JSON.parse(await file('oscal.json', '?framework=ai-act&from=2025-01-01&until=2025-01-31&seed=1'));
    expect([validate(empty), validate.errors]).toEqual([true, null]);
    expect(validate({ 'assessment-results': {} })).toBe(false);
  });

  it('is a table too, with the key by which anyone draws the same sample', async () => {
    const asked = OCTOBER.replace('ai-act', 'iso-27001');
    const lines = (await file('records.csv', asked)).split('\r\n').filter((line) => line !== '');
    const { records } = (await readPack(asked)).pack;
    expect(lines[0]).toMatch(/^record,id,at,what,/);
    expect(lines.slice(1)).toHaveLength(records.length);
    const drawn = lines
      .slice(1)
      .map((line) => line.split(','))
      .filter((cells) => cells.at(-2)?.split(' ').includes('policies'))
      .sort((a, b) => ((a.at(-1) ?? '') < (b.at(-1) ?? '') ? -1 : 1));
    const policies = (await page(asked)).pack?.controls.find(({ id }) => id === 'policies');
    expect(policies?.tally.population).toBe(drawn.length);
    expect(drawn.length).toBeGreaterThan(25);
    expect(policies?.sample.map(({ id }) => id)).toEqual(drawn.slice(0, 25).map((cells) => cells[1]));
  });
});
