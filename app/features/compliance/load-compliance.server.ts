import { data, type RouterContextProvider } from 'react-router';
import { CONTROLS, type ControlStatus, EVIDENCE, REGIONS, SECTORS } from '#app/domain/audit/compliance.ts';
import { CATALOGUE } from '#app/engine/compliance/catalogue.ts';
import { judgeControls, worstOf } from '#app/engine/compliance/judge-controls.ts';
import { readControlFigures } from '#app/engine/compliance/read-control-figures.ts';
import { memberContext, servicesContext } from '#app/request-context.ts';

const STATUSES = ['compliant', 'nonCompliant', 'underReview'] as const satisfies readonly ControlStatus[];

async function judge(context: Readonly<RouterContextProvider>) {
  const now = context.get(servicesContext).now();
  const figures = await context.get(memberContext).read((db) => readControlFigures(db, now));
  return judgeControls(figures);
}

/** Every control where it stands, and the laws and standards that are held against them, filtered by the address. */
export async function loadCompliance({ url, context }: { url: URL; context: Readonly<RouterContextProvider> }) {
  const statuses = await judge(context);
  const chosen = <T extends string>(name: string, known: readonly T[]): T | '' =>
    known.find((value) => value === url.searchParams.get(name)) ?? '';
  const filter = { region: chosen('region', REGIONS), sector: chosen('sector', SECTORS), status: chosen('status', STATUSES) };
  const regulations = CATALOGUE.map(({ controls, ...entry }) => ({
    ...entry,
    controls: controls.length,
    met: controls.filter(({ control }) => statuses[control] === 'compliant').length,
    status: worstOf(controls.map(({ control }) => statuses[control])),
  })).filter(
    (entry) =>
      (filter.region === '' || entry.region === filter.region) &&
      (filter.sector === '' || entry.sectors === 'all' || entry.sectors.includes(filter.sector)) &&
      (filter.status === '' || entry.status === filter.status),
  );
  return {
    filter,
    total: CATALOGUE.length,
    regulations,
    controls: CONTROLS.map((id) => ({ id, status: statuses[id], evidence: EVIDENCE[id] })),
  };
}
export type Compliance = Awaited<ReturnType<typeof loadCompliance>>;

/** One law or standard: which of its provisions which control answers, and where that stands. 404 for an unknown one. */
export async function loadRegulation(context: Readonly<RouterContextProvider>, id: string) {
  const entry = CATALOGUE.find((known) => known.id === id);
  if (entry === undefined) throw data({ code: 'not_found' }, { status: 404 });
  const statuses = await judge(context);
  return {
    ...entry,
    controls: entry.controls.map(({ control, provision }) => ({
      id: control,
      provision,
      status: statuses[control],
      evidence: EVIDENCE[control],
    })),
    status: worstOf(entry.controls.map(({ control }) => statuses[control])),
  };
}
export type RegulationView = Awaited<ReturnType<typeof loadRegulation>>;
