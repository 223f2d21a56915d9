import type { Family, Sample } from '#app/domain/metrics/exposition.ts';
import type { Statement } from '#app/engine/runs/run-store.ts';

type Row = { metric: string; label: string; value: number };

/** `by`: the name of the label; `always`: labels that are told with 0 where there is nothing. */
type Described = { metric: string; name: string; help: string; by?: string; always?: readonly string[] };

/** In the order in which they are told. */
const DESCRIBED: readonly Described[] = [
  { metric: 'runs_open', name: 'runs_open', by: 'status', always: ['pending', 'processing', 'waiting'], help: 'Runs that have not ended.' },
  { metric: 'runs_ready', name: 'runs_ready', help: 'Runs that could go on and wait for a worker.' },
  { metric: 'runs_ready_seconds', name: 'runs_ready_oldest_seconds', help: 'How long the oldest of them has waited.' },
  {
    metric: 'waits',
    name: 'waits',
    by: 'for',
    always: ['approval', 'form', 'sign_in', 'place'],
    help: 'Open approvals, forms and sign-ins that runs wait for, and runs that wait for a place under a limit.',
  },
  { metric: 'approvals_seconds', name: 'approvals_oldest_seconds', help: 'How long the oldest open approval has waited.' },
  {
    metric: 'approvals_late_seconds',
    name: 'approvals_overdue_seconds',
    help: 'How long an open approval has been past its due time: 0 while approvals expire on time.',
  },
  { metric: 'log_unplaced', name: 'audit_unplaced_events', help: 'Audit events that have no place in their log yet.' },
  { metric: 'log_unplaced_seconds', name: 'audit_unplaced_oldest_seconds', help: 'How long the oldest of them has waited for its place.' },
  { metric: 'log_alarms', name: 'audit_log_alarms', help: 'Workspaces whose audit log was found to have been changed.' },
  { metric: 'deliveries_pending', name: 'deliveries_pending', help: 'Mails and webhooks that have not been delivered.' },
  { metric: 'deliveries_late_seconds', name: 'deliveries_late_seconds', help: 'How long the next of them has been due.' },
  {
    metric: 'connections',
    name: 'connections',
    by: 'status',
    always: ['connected', 'error'],
    help: 'Connections, by what their last check found.',
  },
  { metric: 'workers', name: 'workers', help: 'Workers that have renewed their lease.' },
  {
    metric: 'workspaces',
    name: 'workspaces',
    by: 'state',
    always: ['open', 'halted'],
    help: 'Workspaces, those whose runs are halted apart.',
  },
  { metric: 'database_bytes', name: 'database_bytes', help: 'Size of the database.' },
];

/** The figures of the whole instance as its database has them now. `statement`: in a session of quorate_worker. */
export async function readMetrics(statement: Statement): Promise<Family[]> {
  const { rows } = await statement({ name: 'metrics', text: 'select metric, label, value from quorate.read_metrics()', values: [] });
  return describe(rows as Row[]);
}

function describe(rows: readonly Row[]): Family[] {
  return DESCRIBED.map(({ metric, name, help, by, always = [] }) => {
    const found = rows.filter((row) => row.metric === metric);
    const missing = always.filter((label) => !found.some((row) => row.label === label));
    const samples = [...found, ...missing.map((label) => ({ label, value: 0 }))]
      .sort((a, b) => (a.label < b.label ? -1 : 1))
      .map(({ label, value }): Sample => (by === undefined ? { value } : { value, labels: { [by]: label } }));
    return { name: `quorate_${name}`, help, type: 'gauge', samples };
  });
}
