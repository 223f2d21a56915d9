import { sql } from 'kysely';
import { data, type RouterContextProvider } from 'react-router';
import { z } from 'zod';
import type { Db } from '#app/contracts/db.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { clockState } from '#app/domain/incidents/clocks.ts';
import { REGIMES, type Regime, type Touched, touchedSchema } from '#app/domain/incidents/incident.ts';
import { can } from '#app/domain/people/roles.ts';
import { readSubject } from '#app/domain/runs/subject/run-subject.ts';
import { loadRegimes } from '#app/engine/compliance/incident-regimes.ts';
import { type LawWords, loadLawWords } from '#app/engine/compliance/law-words.ts';
import { loadLaws } from '#app/engine/compliance/laws.ts';
import { readTenant } from '#app/engine/workspaces/read-tenant.ts';
import { getLanguage } from '#app/platform/i18n/i18n.server.ts';

type Context = Readonly<RouterContextProvider>;

/** An incident with its clocks, its history and what it is about. 404 for one that this member may not see. */
export async function loadIncident(context: Context, id: string) {
  const { member, read } = context.get(memberContext);
  const now = context.get(servicesContext).now();
  if (!z.uuid().safeParse(id).success) throw data({ code: 'not_found' }, { status: 404 });
  const { rules, words, lawOf } = await loadRules(context);
  return read(async (db) => {
    const row = await db
      .selectFrom('quorate.incidents as i')
      .leftJoin('quorate.members as m', (join) =>
        join.onRef('m.workspace_id', '=', 'i.workspace_id').onRef('m.user_id', '=', 'i.recorded_by'),
      )
      .where('i.id', '=', id)
      .where('i.workspace_id', '=', member.workspace.id)
      .selectAll('i')
      .select('m.name as recorder')
      .executeTakeFirst();
    if (row === undefined) throw data({ code: 'not_found' }, { status: 404 });
    const entries = await readEntries(db, id);
    const lastSaid = new Map(entries.filter(({ kind }) => kind === 'reported').map((entry) => [`${entry.regime}.${entry.step}`, entry]));
    const clocks = await db.selectFrom('quorate.incident_clocks').where('incident_id', '=', id).orderBy('place').selectAll().execute();
    return {
      id: row.id,
      number: row.number,
      title: row.title,
      happened: row.happened,
      severity: row.severity,
      harm: row.harm,
      regimes: row.regimes,
      noticedAt: row.noticed_at.toISOString(),
      classifiedAt: row.classified_at?.toISOString() ?? null,
      recordedAt: row.recorded_at.toISOString(),
      recorder: row.recorder,
      closedAt: row.closed_at?.toISOString() ?? null,
      rootCause: row.root_cause,
      mayHandle: can(member.roles, 'handleIncident'),
      mayHalt: can(member.roles, 'halt'),
      timeZone: (await readTenant(db, member.workspace.id)).timeZone,
      touched: await nameTouched(db, z.array(touchedSchema).parse(row.touches)),
      allLaws: lawsOf(rules, words, lawOf),
      laws: row.regimes.map((regime) => ({
        regime,
        name: words.law(lawOf(regime)).name,
        law: rules[regime].law,
        scope: words.provision(lawOf(regime), rules[regime].scope),
        source: rules[regime].source,
        checked: rules[regime].checked ?? null,
      })),
      clocks: clocks.map((clock) => {
        const said = lastSaid.get(`${clock.regime}.${clock.step}`);
        return {
          regime: clock.regime,
          step: clock.step,
          cited: words.cited(lawOf(clock.regime), clock.cited),
          due: clock.due_at?.toISOString() ?? null,
          state: clockState({ due: clock.due_at, sent: clock.sent_at }, now),
          sent: clock.sent_at?.toISOString() ?? null,
          by: said?.by ?? null,
          reference: said?.reference ?? '',
        };
      }),
      entries: entries.reverse(),
    };
  });
}
export type LoadedIncident = Awaited<ReturnType<typeof loadIncident>>;

const judgementSchema = z.object({
  severity: z.enum(['low', 'medium', 'high']),
  harm: z.enum(['death', 'widespread']).nullable(),
  classifiedAt: z.string().nullable(),
  regimes: z.array(z.enum(['dora', 'nis2', 'aiAct', 'gdpr'])),
});

async function readEntries(db: Db, incident: string) {
  const rows = await db
    .selectFrom('quorate.incident_entries as e')
    .leftJoin('quorate.members as m', (join) => join.onRef('m.workspace_id', '=', 'e.workspace_id').onRef('m.user_id', '=', 'e.made_by'))
    .where('e.incident_id', '=', incident)
    .orderBy('e.made_at')
    .orderBy('e.id')
    .selectAll('e')
    .select('m.name as by')
    .execute();
  const said = new Set<string>();
  return rows.map((row) => {
    const report = `${row.regime}.${row.step}`;
    const corrects = row.kind === 'reported' && said.has(report);
    if (row.kind === 'reported') said.add(report);
    return {
      id: row.id,
      kind: row.kind,
      regime: row.regime,
      step: row.step,
      sent: row.sent_at?.toISOString() ?? null,
      reference: row.reference,
      note: row.note,
      before: judgementSchema.nullable().parse(row.before),
      after: judgementSchema.nullable().parse(row.after),
      by: row.by,
      at: row.made_at.toISOString(),
      corrects,
    };
  });
}

/** Names of what an incident is about, as far as this member may see it. */
async function nameTouched(db: Db, touched: readonly Touched[]) {
  const ids = (kind: Touched['kind']) => touched.filter((one) => one.kind === kind).map(({ id }) => id);
  const runs = await sql<{ id: string; number: number; subject: unknown; workflow: string | null }>`
    select r.id, r.number, r.subject, a.name as workflow from quorate.runs r left join quorate.artifacts a on a.id = r.artifact_id
    where r.id = any (${ids('run')}::uuid[]) order by r.number`.execute(db);
  const agents = await sql<{ id: string; name: string }>`
    select a.id, a.name from quorate.artifacts a where a.kind = 'agent' and a.id = any (${ids('agent')}::uuid[]) order by a.name`.execute(
    db,
  );
  const connections = await sql<{ id: string; name: string; kind: 'mcp' | 'a2a' | 'model' | 'app' }>`
    select c.id, c.name, c.kind from quorate.connections c where c.id = any (${ids('connection')}::uuid[]) order by c.name`.execute(db);
  return {
    runs: runs.rows.map(({ id, number, subject, workflow }) => ({ id, number, subject: readSubject(subject), workflow: workflow ?? '' })),
    agents: agents.rows,
    connections: connections.rows,
  };
}

/** The connections and agents that an incident can be about, and the laws that it may fall under, for the form. `run`: the number of a run that it is about. */
export async function loadIncidentForm({ context, url }: { context: Context; url: URL }) {
  const { member, read } = context.get(memberContext);
  const { newId } = context.get(servicesContext);
  const { rules, words, lawOf } = await loadRules(context);
  return read(async (db) => ({
    id: newId(),
    timeZone: (await readTenant(db, member.workspace.id)).timeZone,
    laws: lawsOf(rules, words, lawOf),
    run: url.searchParams.get('run')?.slice(0, 12) ?? '',
    agents: (
      await sql<{ id: string; name: string }>`
        select a.id, a.name from quorate.artifacts a where a.workspace_id = ${member.workspace.id} and a.kind = 'agent'
          and a.deleted_at is null order by a.name, a.id limit ${MOST_CHOICES}`.execute(db)
    ).rows,
    connections: (
      await sql<{ id: string; name: string }>`
        select c.id, c.name from quorate.connections c where c.workspace_id = ${member.workspace.id} and c.deleted_at is null
        order by c.name, c.id limit ${MOST_CHOICES}`.execute(db)
    ).rows,
  }));
}
export type LoadedIncidentForm = Awaited<ReturnType<typeof loadIncidentForm>>;

const MOST_CHOICES = 100;

type Rules = Awaited<ReturnType<typeof loadRegimes>>;
type LawOf = Awaited<ReturnType<typeof loadRules>>['lawOf'];

/** The rules of each regime, its law, and the words for it in the reader's language. */
async function loadRules(context: Context) {
  const [rules, { laws }, words] = await Promise.all([loadRegimes(), loadLaws(), loadLawWords(getLanguage(context))]);
  const lawOf = (regime: Regime) => {
    const law = laws.find(({ id }) => id === rules[regime].law);
    if (law === undefined) throw new Error(`no law ${rules[regime].law} in the list`);
    return law;
  };
  return { rules, words, lawOf };
}

const lawsOf = (rules: Rules, words: LawWords, lawOf: LawOf) =>
  REGIMES.map((regime) => {
    const law = lawOf(regime);
    return { regime, scope: words.provision(law, rules[regime].scope), name: words.law(law).name };
  });
