import type { RouterContextProvider } from 'react-router';
import { AppError } from '#app/domain/errors.ts';
import { downloadKeys } from '#app/features/account/keys/load-key-list.server.ts';
import { downloadInventory } from '#app/features/agents/inventory/load-inventory.server.ts';
import { downloadAgents } from '#app/features/agents/load-agent-list.server.ts';
import { downloadAuditLog } from '#app/features/audit/load-audit-log.server.ts';
import { downloadConnections } from '#app/features/connections/load-connection-list.server.ts';
import { downloadIncidents } from '#app/features/incidents/load-incidents.server.ts';
import { downloadMembers } from '#app/features/members/load-members.server.ts';
import { downloadDeliveries } from '#app/features/notifications/load-deliveries.server.ts';
import { downloadPolicies } from '#app/features/policies/load-policies.server.ts';
import { downloadReplay } from '#app/features/policies/replay/load-replay.server.ts';
import { downloadDecisions } from '#app/features/reasoning/load-decisions.server.ts';
import { downloadRuns } from '#app/features/runs/list/load-run-list-screen.server.ts';
import { downloadTriggers } from '#app/features/triggers/load-trigger-list.server.ts';
import { downloadWorkflows } from '#app/features/workflows/list/load-list-screen.server.ts';
import type { Route } from './+types/tables';

type Download = (context: Readonly<RouterContextProvider>, url: URL) => Promise<Response>;

/** Lists that leave as CSV, by the filters and the order of their addresses. */
const DOWNLOADS = new Map<string, Download>([
  ['workflows', downloadWorkflows],
  ['runs', downloadRuns],
  ['triggers', downloadTriggers],
  ['agents', downloadAgents],
  ['plugins', (context, url) => downloadConnections('mcp', context, url)],
  ['integrations', (context, url) => downloadConnections('app', context, url)],
  ['models', (context, url) => downloadConnections('model', context, url)],
  ['policies', downloadPolicies],
  ['replay', downloadReplay],
  ['incidents', downloadIncidents],
  ['inventory', downloadInventory],
  ['members', downloadMembers],
  ['audit', downloadAuditLog],
  ['deliveries', downloadDeliveries],
  ['decisions', downloadDecisions],
  ['keys', (context, url) => downloadKeys('own', context, url)],
  ['allKeys', (context, url) => downloadKeys('all', context, url)],
]);

export function loader({ params, context, url }: Route.LoaderArgs) {
  const download = DOWNLOADS.get(params.list);
  if (download === undefined) throw new AppError('not_found');
  return download(context, url);
}
