import { sql } from 'kysely';
import { type ActionFunctionArgs, data, type RouterContextProvider } from 'react-router';
import { message } from '#app/components/form/messages.ts';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { redirectWithNotice } from '#app/components/notice.server.ts';
import { pacesInForce, readPaces } from '#app/domain/pace.ts';
import { runLimitsInForce } from '#app/domain/run-limits.ts';
import type { Json } from '#app/domain/tables.ts';
import { type InstanceNetwork, type NetworkProblem, readWorkspaceNetwork, type WorkspaceNetwork } from '#app/domain/workspace-network.ts';
import { checkpointSettingsSchema } from '#app/engine/audit/queue-checkpoints.ts';
import type { Db } from '#app/engine/db.ts';
import { isSqlState } from '#app/engine/sql-state.ts';
import { requirePermission } from '#app/features/admin/require-permission.server.ts';
import { tenantSchema } from '#app/features/admin/tenant-schema.ts';
import { servicesContext } from '#app/request-context.ts';

const UNIQUE_VIOLATION = '23505';
const NETWORK_PROBLEMS: Record<NetworkProblem['problem'], string> = {
  unreadable: 'networkUnreadable',
  never: 'networkNever',
  outside: 'networkOutside',
};

/** What the workspace is called and where its checkpoints go, with what is kept of it and how much that is. */
export async function loadTenant(context: Readonly<RouterContextProvider>) {
  const { member, read } = requirePermission(context, 'manageMembers');
  return read(async (db) => {
    const { checkpoints, paces, settings, privateNetwork, ...workspace } = await readTenant(db, member.workspace.id);
    const { paceCeilings, runCeilings, instanceNetwork } = context.get(servicesContext);
    return {
      ...workspace,
      paces: pacesInForce(paces, paceCeilings),
      paceCeilings,
      runLimits: runLimitsInForce(settings, runCeilings),
      runCeilings,
      checkpointMail: checkpoints.mail,
      checkpointWebhook: checkpoints.webhook ?? '',
      privateNetwork: privateNetwork === 'instance' ? instanceNetwork.entries : privateNetwork,
      instanceNetwork: instanceNetwork.entries,
    };
  });
}
export type Tenant = Awaited<ReturnType<typeof loadTenant>>;

/** Saves name, short name and where checkpoints go, as one change of the log. */
export async function saveTenant({ request, context }: ActionFunctionArgs) {
  const { member, change } = requirePermission(context, 'manageMembers');
  const parsed = await parseForm(request, tenantSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const { name, slug, keyPace, hookPace, runsAtOnce, queuedRuns, checkpointMail, checkpointWebhook } = parsed.value;
  const { paceCeilings: most, runCeilings, instanceNetwork } = context.get(servicesContext);
  const mostAtOnce = runCeilings.runsAtOnce;
  const network = instanceNetwork.check(parsed.value.privateNetwork);
  const refused = {
    ...(network.ok ? {} : { privateNetwork: [message(NETWORK_PROBLEMS[network.problem], { entry: network.entry })] }),
    ...(mostAtOnce !== null && (runsAtOnce ?? 0) > mostAtOnce ? { runsAtOnce: [message('tooBig', { limit: mostAtOnce })] } : {}),
    ...(queuedRuns > runCeilings.queuedRuns ? { queuedRuns: [message('tooBig', { limit: runCeilings.queuedRuns })] } : {}),
    ...(keyPace > most.keys ? { keyPace: [message('tooBig', { limit: most.keys })] } : {}),
    ...(hookPace > most.hooks ? { hookPace: [message('tooBig', { limit: most.hooks })] } : {}),
  };
  if (!network.ok || Object.keys(refused).length > 0) return invalidForm(parsed.reply, { fieldErrors: refused });
  const paces = { keys: keyPace, hooks: hookPace };
  const limits = { runsAtOnce: runsAtOnce ?? null, queuedRuns };
  const { id } = member.workspace;
  const checkpoints = { mail: checkpointMail, webhook: checkpointWebhook === '' ? null : checkpointWebhook };
  try {
    await change(async (db) => {
      const before = await readTenant(db, id);
      const privateNetwork = networkAfter(before.privateNetwork, network.entries, instanceNetwork);
      await db
        .updateTable('quorate.workspaces')
        .set({
          name,
          slug,
          private_network: JSON.stringify(privateNetwork),
          settings: sql<string>`settings || ${JSON.stringify({ checkpoints, paces, limits })}::jsonb` as never,
        })
        .where('id', '=', id)
        .execute();
      return {
        result: null,
        event: {
          action: 'workspace.configured',
          resource: { kind: 'workspace', id, name },
          // The address of a webhook may hold a secret of its own: the log tells whether there is one.
          payload: {
            from: {
              name: before.name,
              slug: before.slug,
              checkpointMail: before.checkpoints.mail,
              checkpointWebhook: before.checkpoints.webhook !== null,
              callsPerMinute: before.paces,
              runLimits: runLimitsInForce(before.settings, runCeilings),
              privateNetwork: before.privateNetwork as Json,
            },
            to: {
              name,
              slug,
              checkpointMail,
              checkpointWebhook: checkpoints.webhook !== null,
              callsPerMinute: paces,
              runLimits: limits,
              privateNetwork: privateNetwork as Json,
            },
          },
        },
      };
    });
  } catch (error) {
    if (isSqlState(error, UNIQUE_VIOLATION)) return invalidForm(parsed.reply, { fieldErrors: { slug: ['slugTaken'] } });
    throw error;
  }
  return redirectWithNotice('/dashboard/admin/tenant', 'workspaceConfigured');
}

/** What the workspace's webhooks are signed with, for their receiver. 404 where no webhook is set. */
export async function loadTenantSecret(context: Readonly<RouterContextProvider>): Promise<{ address: string; secret: string }> {
  const { member, read } = requirePermission(context, 'manageMembers');
  const { checkpoints } = await read((db) => readTenant(db, member.workspace.id));
  if (checkpoints.webhook === null) throw data({ code: 'not_found' }, { status: 404 });
  return { address: checkpoints.webhook, secret: context.get(servicesContext).engine.webhookSecret(member.workspace.id) };
}

/** Where the instance lists nothing the form has no field, and a list that stands for all of it stays so while all of it is named. */
function networkAfter(before: WorkspaceNetwork, entries: readonly string[], instance: InstanceNetwork): WorkspaceNetwork {
  if (instance.entries.length === 0) return before;
  const isAll = entries.length === instance.entries.length && entries.every((entry) => instance.entries.includes(entry));
  return before === 'instance' && isAll ? before : entries;
}

async function readTenant(db: Db, id: string) {
  const row = await db
    .selectFrom('quorate.workspaces')
    .select(['name', 'slug', 'settings', 'private_network', 'created_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const settings = row.settings;
  const stored = typeof settings === 'object' && settings !== null && !Array.isArray(settings) ? settings.checkpoints : undefined;
  return {
    name: row.name,
    slug: row.slug,
    createdAt: row.created_at.toISOString(),
    settings,
    paces: readPaces(settings),
    privateNetwork: readWorkspaceNetwork(row.private_network),
    checkpoints: checkpointSettingsSchema.parse(stored ?? {}),
  };
}
