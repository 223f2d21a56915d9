import { data, type RouterContextProvider } from 'react-router';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { type Attestation, attestedStatus, isStale } from '#app/domain/audit/attestation.ts';
import { CONTROLS, type ControlId, type ControlStatus, EVIDENCE, REGIONS, SECTORS } from '#app/domain/audit/compliance.ts';
import { byDay, changesAfter, validityOn } from '#app/domain/audit/law-dates.ts';
import { can } from '#app/domain/people/roles.ts';
import { judgeControls, worstOf } from '#app/engine/compliance/judge-controls.ts';
import { loadLawWords } from '#app/engine/compliance/law-words.ts';
import { loadLaws } from '#app/engine/compliance/laws.ts';
import { readAttestations } from '#app/engine/compliance/read-attestations.ts';
import { readControlFigures } from '#app/engine/compliance/read-control-figures.ts';
import { getLanguage } from '#app/platform/i18n/i18n.server.ts';

const PARTS = ['controls', 'laws', 'dates'] as const;
const STATUSES = ['compliant', 'nonCompliant', 'underReview'] as const satisfies readonly ControlStatus[];

/** Dates of laws have no hour: the day is that of UTC. */
const todayOf = (context: Readonly<RouterContextProvider>) => context.get(servicesContext).now().toISOString().slice(0, 10);

const mayPack = (context: Readonly<RouterContextProvider>) => can(context.get(memberContext).member.roles, 'exportEvidence');

async function judge(context: Readonly<RouterContextProvider>) {
  const now = context.get(servicesContext).now();
  const { member, read } = context.get(memberContext);
  return read(async (db) => {
    const judged = judgeControls(await readControlFigures(db, now));
    const attestations = await readAttestations(db, member.workspace.id, now);
    const statuses = { ...judged };
    for (const control of CONTROLS) statuses[control] = attestedStatus(judged[control], attestations.get(control) ?? null, now);
    return {
      statuses,
      mayAttest: can(member.roles, 'attestControl'),
      attestedOf: (control: ControlId) => shown(attestations.get(control), now),
    };
  });
}

const shown = (attestation: Attestation | undefined, now: Date) =>
  attestation === undefined ? null : { ...attestation, stale: isStale(attestation, now) };
export type ShownAttestation = ReturnType<typeof shown>;

/** Every control with its state, and the laws and standards it is mapped to, filtered by the address. */
export async function loadCompliance({ url, context }: { url: URL; context: Readonly<RouterContextProvider> }) {
  const { statuses, mayAttest, attestedOf } = await judge(context);
  const chosen = <T extends string>(name: string, known: readonly T[]): T | '' =>
    known.find((value) => value === url.searchParams.get(name)) ?? '';
  const filter = { region: chosen('region', REGIONS), sector: chosen('sector', SECTORS), status: chosen('status', STATUSES) };
  const isFiltered = Object.values(filter).some((value) => value !== '');
  const { laws } = await loadLaws();
  const words = await loadLawWords(getLanguage(context));
  const today = todayOf(context);
  const standing = laws.map((law) => ({ ...words.law(law), validity: validityOn(law.dates, today) }));
  const used = standing.filter(({ validity }) => validity !== 'superseded');
  const regulations = used
    .map(({ copilot: _, controls, ...law }) => ({
      ...law,
      controls: controls.length,
      met: controls.filter(({ control }) => statuses[control] === 'compliant').length,
      status: worstOf(controls.map(({ control }) => statuses[control])),
    }))
    .filter(
      (law) =>
        (filter.region === '' || law.region === filter.region) &&
        (filter.sector === '' || law.sectors === 'all' || law.sectors.includes(filter.sector)) &&
        (filter.status === '' || law.status === filter.status),
    );
  return {
    mayPack: mayPack(context),
    part: chosen('part', PARTS) || (isFiltered ? 'laws' : 'controls'),
    filter,
    total: used.length,
    regulations,
    changes: used.flatMap(({ id, name, dates }) => changesAfter(dates, today).map((later) => ({ ...later, id, name }))).sort(byDay),
    past: standing.flatMap(({ id, name, citation, validity, dates: { supersededBy } }) =>
      validity === 'superseded' && supersededBy !== undefined ? [{ id, name, citation, supersededBy }] : [],
    ),
    mayAttest,
    controls: CONTROLS.map((id) => ({ id, status: statuses[id], evidence: EVIDENCE[id], attested: attestedOf(id) })),
  };
}
export type Compliance = Awaited<ReturnType<typeof loadCompliance>>;

/** One law or standard: its provisions, the controls that answer them, and their state. 404 for an unknown one. */
export async function loadRegulation(context: Readonly<RouterContextProvider>, id: string) {
  const { laws } = await loadLaws();
  const found = laws.find((law) => law.id === id);
  if (found === undefined) throw data({ code: 'not_found' }, { status: 404 });
  const words = await loadLawWords(getLanguage(context));
  const { copilot: _, controls, ...law } = words.law(found);
  const { statuses, mayAttest, attestedOf } = await judge(context);
  return {
    ...law,
    mayPack: mayPack(context),
    mayAttest,
    validity: validityOn(found.dates, todayOf(context)),
    controls: controls.map(({ control, provision }) => ({
      id: control,
      provision,
      status: statuses[control],
      evidence: EVIDENCE[control],
      attested: attestedOf(control),
    })),
    status: worstOf(controls.map(({ control }) => statuses[control])),
  };
}
export type RegulationView = Awaited<ReturnType<typeof loadRegulation>>;
