import { type ActionFunctionArgs, data, href, type RouterContextProvider } from 'react-router';
import { toAskedChange } from '#app/components/form/ask/ask-answer.server.ts';
import { message } from '#app/components/form/messages.ts';
import { type FormReply, invalidForm, parseFormData } from '#app/components/form/parse-form.server.ts';
import { refusedForm } from '#app/components/form/refused-form.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { clientContext, servicesContext } from '#app/contracts/request-context.ts';
import { AppError } from '#app/domain/errors.ts';
import { Refusal, refusal } from '#app/domain/refusal.ts';
import { addDomain } from '#app/engine/commands/sign-in/add-domain.ts';
import { removeDomain } from '#app/engine/commands/sign-in/remove-domain.ts';
import { setSessionRules } from '#app/engine/commands/sign-in/set-session-rules.ts';
import { setSignIn } from '#app/engine/commands/sign-in/set-sign-in.ts';
import { verifyDomain } from '#app/engine/commands/sign-in/verify-domain.ts';
import { readRanges } from '#app/engine/limits/address-ranges.ts';
import { requirePermission } from '#app/features/admin/require-permission.server.ts';
import { domainSchema, sessionRulesFormSchema, signInFormSchema } from '#app/features/admin/sign-in/sign-in-schema.ts';
import { performAsMember } from '#app/perform.server.ts';

type Context = Readonly<RouterContextProvider>;
const PAGE = href('/dashboard/admin/sign-in');

/** One form each: a domain that is named, proven or let go, or which provider counts and for whom. */
export async function saveSignIn({ request, context }: ActionFunctionArgs) {
  requirePermission(context, 'manageMembers');
  const form = await request.formData();
  const intent = form.get('intent');
  if (intent === 'verify' || intent === 'removeDomain') return changeDomain(context, form, intent);
  if (intent === 'addDomain') return nameDomain(context, form);
  if (intent === 'sessions') return saveSessionRules(context, form);
  const parsed = await parseFormData(form, signInFormSchema);
  if (!parsed.ok) return answerTo('signIn', invalidForm(parsed.reply));
  const { provider, ...rest } = parsed.value;
  try {
    const outcome = await performAsMember(context, setSignIn, { provider: provider === '' ? null : provider, ...rest });
    if (outcome.state === 'requested') return toAskedChange(outcome.asked);
  } catch (error) {
    if (!isSoAlready(error)) return answerTo('signIn', refusedForm(parsed.reply, error));
  }
  return redirectWithNotice(PAGE, 'workspaceConfigured');
}

const isSoAlready = (error: unknown) => error instanceof AppError && !(error instanceof Refusal) && error.code === 'conflict';

type SignInForm = 'signIn' | 'domain' | 'sessions';
const answerTo = (about: SignInForm, { data: result, init }: ReturnType<typeof invalidForm>) => data({ about, result }, init ?? undefined);

async function saveSessionRules(context: Context, form: FormData) {
  const parsed = await parseFormData(form, sessionRulesFormSchema);
  if (!parsed.ok) return answerTo('sessions', invalidForm(parsed.reply));
  const { hours = null, idleMinutes = null, factor, networks, reason } = parsed.value;
  const read = readRanges(networks);
  if (!read.ok) {
    const fault = message('addressRange', { entry: read.wrong });
    return answerTo('sessions', invalidForm(parsed.reply, { fieldErrors: { networks: [fault] } }));
  }
  try {
    const rules = { hours, idleMinutes, factor, networks: read.ranges };
    const { address } = context.get(clientContext);
    const outcome = await performAsMember(context, setSessionRules, { rules, address, reason });
    if (outcome.state === 'requested') return toAskedChange(outcome.asked);
  } catch (error) {
    if (!isSoAlready(error)) return answerTo('sessions', refusedForm(parsed.reply, error));
  }
  return redirectWithNotice(PAGE, 'workspaceConfigured');
}

async function nameDomain(context: Context, form: FormData) {
  const parsed = await parseFormData(form, domainSchema);
  if (!parsed.ok) return answerTo('domain', invalidForm(parsed.reply));
  try {
    await performAsMember(context, addDomain, parsed.value);
  } catch (error) {
    return answerTo('domain', refusedForm(parsed.reply, error));
  }
  return redirectWithNotice(PAGE, 'domainAdded');
}

/** The records are read before the transaction: nothing waits for a name server inside one. */
async function changeDomain(context: Context, form: FormData, intent: 'verify' | 'removeDomain') {
  const parsed = await parseFormData(form, domainSchema);
  if (!parsed.ok) return answerTo('domain', invalidForm(parsed.reply));
  const { domain } = parsed.value;
  try {
    if (intent === 'removeDomain') await performAsMember(context, removeDomain, { domain });
    else await performAsMember(context, verifyDomain, { domain, records: await recordsOf(context, domain) });
  } catch (error) {
    if (isSoAlready(error)) return redirectWithNotice(PAGE, 'domainVerified');
    return refusedDomain(parsed.reply, error);
  }
  return redirectWithNotice(PAGE, intent === 'verify' ? 'domainVerified' : 'domainRemoved');
}

/** Above the form to add one, whose field it is about. */
function refusedDomain(reply: FormReply, error: unknown) {
  return answerTo('domain', refusedForm(reply, error));
}

async function recordsOf(context: Context, domain: string): Promise<string[]> {
  const { resolveTxt, log } = context.get(servicesContext);
  try {
    return await resolveTxt(domain);
  } catch (error) {
    log.warn('the records of a domain could not be read', { reason: error instanceof Error ? error.name : 'unknown' });
    throw refusal('unavailable', 'domainUnreadable');
  }
}
