import { type ActionFunctionArgs, data, href, type RouterContextProvider } from 'react-router';
import { readReason, refusedAsk, toAskedChange } from '#app/components/form/ask/ask-answer.server.ts';
import { message } from '#app/components/form/messages.ts';
import { type FormReply, invalidForm, parseFormData } from '#app/components/form/parse-form.server.ts';
import { refusedForm } from '#app/components/form/refused-form.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { inStoredWords, sayShipped } from '#app/components/text/shipped-texts.server.ts';
import type { NetworkProblem } from '#app/contracts/network.ts';
import { servicesContext } from '#app/contracts/request-context.ts';
import { AppError } from '#app/domain/errors.ts';
import { Refusal } from '#app/domain/refusal.ts';
import { pacesInForce } from '#app/domain/runs/pace.ts';
import { runLimitsInForce } from '#app/domain/runs/run-limits.ts';
import { configureWorkspace } from '#app/engine/commands/workspaces/configure-workspace.ts';
import { reviewEffects } from '#app/engine/commands/workspaces/review-effects.ts';
import { sendCheckpoints } from '#app/engine/commands/workspaces/send-checkpoints.ts';
import { setPrivateNetwork } from '#app/engine/commands/workspaces/set-private-network.ts';
import { type ControlOutcome, secondPersonAgrees } from '#app/engine/control/request-control-change.ts';
import { readTenant } from '#app/engine/workspaces/read-tenant.ts';
import { requirePermission } from '#app/features/admin/require-permission.server.ts';
import { tenantCheckpointsSchema, tenantNetworkSchema, tenantSchema } from '#app/features/admin/tenant-schema.ts';
import { performAsMember } from '#app/perform.server.ts';

const NETWORK_PROBLEMS: Record<NetworkProblem['problem'], string> = {
  unreadable: 'networkUnreadable',
  never: 'networkNever',
  outside: 'networkOutside',
};

/** The workspace's name, where its checkpoints are sent, and how much data is kept for how long. */
export async function loadTenant(context: Readonly<RouterContextProvider>) {
  const { member, read } = requirePermission(context, 'manageMembers');
  return read(async (db) => {
    const { checkpoints, paces, settings, privateNetwork, ...workspace } = await readTenant(db, member.workspace.id);
    const { paceCeilings, runCeilings, instanceNetwork } = context.get(servicesContext);
    return {
      ...workspace,
      secondPersonAgrees: await secondPersonAgrees(db),
      name: sayShipped(context)(workspace.name),
      timeZones: ['UTC', ...Intl.supportedValuesOf('timeZone')],
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

/** Saves what its form holds: names and limits, the private network, where checkpoints go, or the review of effects. */
export async function saveTenant({ request, context }: ActionFunctionArgs) {
  requirePermission(context, 'manageMembers');
  const form = await request.formData();
  const intent = form.get('intent');
  if (intent === 'reviewOn' || intent === 'reviewOff') return saveReview(context, form, intent === 'reviewOn');
  if (intent === 'network') return saveNetwork(context, form);
  if (intent === 'checkpoints') return saveCheckpoints(context, form);
  const parsed = await parseFormData(form, tenantSchema);
  if (!parsed.ok) return answerTo('settings', invalidForm(parsed.reply));
  const { name, slug, timeZone, keyPace, hookPace, runsAtOnce, queuedRuns } = inStoredWords(context, parsed.value);
  const { paceCeilings: most, runCeilings } = context.get(servicesContext);
  const mostAtOnce = runCeilings.runsAtOnce;
  const refused = {
    ...(mostAtOnce !== null && (runsAtOnce ?? 0) > mostAtOnce ? { runsAtOnce: [message('tooBig', { limit: mostAtOnce })] } : {}),
    ...(queuedRuns > runCeilings.queuedRuns ? { queuedRuns: [message('tooBig', { limit: runCeilings.queuedRuns })] } : {}),
    ...(keyPace > most.keys ? { keyPace: [message('tooBig', { limit: most.keys })] } : {}),
    ...(hookPace > most.hooks ? { hookPace: [message('tooBig', { limit: most.hooks })] } : {}),
  };
  if (Object.keys(refused).length > 0) return answerTo('settings', invalidForm(parsed.reply, { fieldErrors: refused }));
  const paces = { keys: keyPace, hooks: hookPace };
  const limits = { runsAtOnce: runsAtOnce ?? null, queuedRuns };
  try {
    await performAsMember(context, configureWorkspace, { name, slug, timeZone, paces, limits, instance: { runs: runCeilings } });
  } catch (error) {
    return answerTo('settings', refusedForm(parsed.reply, error));
  }
  return redirectWithNotice(href('/dashboard/admin/tenant'), 'workspaceConfigured');
}

type TenantForm = 'settings' | 'network' | 'checkpoints';
/** The page holds several forms: its answer says which one it is about. */
const answerTo = (about: TenantForm, { data: result, init }: ReturnType<typeof invalidForm>) => data({ about, result }, init ?? undefined);

async function saveNetwork(context: Readonly<RouterContextProvider>, form: FormData) {
  const parsed = await parseFormData(form, tenantNetworkSchema);
  if (!parsed.ok) return answerTo('network', invalidForm(parsed.reply));
  const { instanceNetwork } = context.get(servicesContext);
  const network = instanceNetwork.check(parsed.value.privateNetwork);
  if (!network.ok) {
    const problem = message(NETWORK_PROBLEMS[network.problem], { entry: network.entry });
    return answerTo('network', invalidForm(parsed.reply, { fieldErrors: { privateNetwork: [problem] } }));
  }
  const wanted = { network: [...network.entries], instance: [...instanceNetwork.entries], reason: parsed.value.reason };
  return saved('network', parsed.reply, () => performAsMember(context, setPrivateNetwork, wanted));
}

async function saveCheckpoints(context: Readonly<RouterContextProvider>, form: FormData) {
  const parsed = await parseFormData(form, tenantCheckpointsSchema);
  if (!parsed.ok) return answerTo('checkpoints', invalidForm(parsed.reply));
  const { checkpointMail: mail, checkpointWebhook, reason } = parsed.value;
  const wanted = { mail, webhook: checkpointWebhook === '' ? null : checkpointWebhook, reason };
  return saved('checkpoints', parsed.reply, () => performAsMember(context, sendCheckpoints, wanted));
}

async function saved(about: TenantForm, reply: FormReply, perform: () => Promise<ControlOutcome<'done'>>) {
  try {
    const outcome = await perform();
    if (outcome.state === 'requested') return toAskedChange(outcome.asked);
  } catch (error) {
    // it is so already: the page shows it
    if (!(error instanceof AppError && !(error instanceof Refusal) && error.code === 'conflict'))
      return answerTo(about, refusedForm(reply, error));
  }
  return redirectWithNotice(href('/dashboard/admin/tenant'), 'workspaceConfigured');
}

async function saveReview(context: Readonly<RouterContextProvider>, form: FormData, on: boolean) {
  const page = href('/dashboard/admin/tenant');
  try {
    const outcome = await performAsMember(context, reviewEffects, { on, reason: readReason(form) });
    if (outcome.state === 'requested') return toAskedChange(outcome.asked);
  } catch (error) {
    if (error instanceof Refusal) return refusedAsk(error, page);
    // someone was quicker with the same: the page shows the result
    if (error instanceof AppError && error.code === 'conflict') return redirectWithNotice(page, 'workspaceConfigured');
    throw error;
  }
  return redirectWithNotice(page, 'workspaceConfigured');
}

/** The secret of the workspace's webhooks, for their receiver. 404 where no webhook is set. */
export async function loadTenantSecret(context: Readonly<RouterContextProvider>): Promise<{ address: string; secret: string }> {
  const { member, read } = requirePermission(context, 'manageMembers');
  const { checkpoints } = await read((db) => readTenant(db, member.workspace.id));
  if (checkpoints.webhook === null) throw data({ code: 'not_found' }, { status: 404 });
  return { address: checkpoints.webhook, secret: context.get(servicesContext).engine.webhookSecret(member.workspace.id) };
}
