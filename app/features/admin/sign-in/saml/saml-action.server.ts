import { type ActionFunctionArgs, data, href, type RouterContextProvider, redirect } from 'react-router';
import { invalidForm, parseFormData } from '#app/components/form/parse-form.server.ts';
import { refusedForm } from '#app/components/form/refused-form.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { type SamlMetadata, SamlMetadataError, type SamlSettings } from '#app/contracts/company-sign-in.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { readWorkspaceNetwork } from '#app/domain/connections/workspace-network.ts';
import { AppError } from '#app/domain/errors.ts';
import { createProvider } from '#app/engine/commands/sign-in/create-provider.ts';
import { createSamlKey } from '#app/engine/commands/sign-in/create-saml-key.ts';
import { editProvider } from '#app/engine/commands/sign-in/edit-provider.ts';
import { removeSamlKey } from '#app/engine/commands/sign-in/remove-saml-key.ts';
import { useSamlKey as putSamlKeyToUse } from '#app/engine/commands/sign-in/use-saml-key.ts';
import { requirePermission } from '#app/features/admin/require-permission.server.ts';
import type { Provider } from '#app/features/admin/sign-in/load-sign-in.server.ts';
import { samlService } from '#app/features/admin/sign-in/saml/load-saml.server.ts';
import { type SamlProviderForm, samlProviderSchema } from '#app/features/admin/sign-in/saml/saml-schema.ts';
import { performAsMember } from '#app/perform.server.ts';

type Context = Readonly<RouterContextProvider>;
const PAGE = href('/dashboard/admin/sign-in/saml');

/** Keeps a new SAML provider, with a key of ours where there is none yet, and leads to its page, where it is tested. */
export async function addSamlProvider({ request, context }: ActionFunctionArgs) {
  const { member } = requirePermission(context, 'manageMembers');
  const parsed = await parseFormData(await request.formData(), samlProviderSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const id = context.get(servicesContext).newId();
  try {
    const read = await metadataOf(context, parsed.value);
    if (read === null) return invalidForm(parsed.reply, { fieldErrors: { metadataUrl: ['samlMetadataNeeded'] } });
    await ensureKey(context, member.workspace.id);
    const clientId = samlService(context, member.workspace.id).entityId;
    await performAsMember(context, createProvider, { id, secret: null, ...columnsOf(parsed.value, clientId, read) });
  } catch (error) {
    if (error instanceof SamlMetadataError) return invalidForm(parsed.reply, { fieldErrors: faultOf(error, parsed.value) });
    return refusedForm(parsed.reply, error);
  }
  return redirect(href('/dashboard/admin/sign-in/:provider', { provider: id }), { status: 303 });
}

/** Changes a SAML provider that does not count. */
export async function saveSamlProvider(context: Context, form: FormData, provider: Provider & { saml: NonNullable<Provider['saml']> }) {
  const parsed = await parseFormData(form, samlProviderSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  try {
    const present = { entityId: provider.issuer, metadataUrl: provider.saml.metadataUrl, ...provider.saml.kept };
    const read = (await metadataOf(context, parsed.value)) ?? present;
    const given = columnsOf(parsed.value, provider.clientId, read);
    await performAsMember(context, editProvider, { id: provider.id, secret: '', ...given });
  } catch (error) {
    if (error instanceof SamlMetadataError) return invalidForm(parsed.reply, { fieldErrors: faultOf(error, parsed.value) });
    return refusedForm(parsed.reply, error);
  }
  return redirectWithNotice(href('/dashboard/admin/sign-in/:provider', { provider: provider.id }), 'providerSaved');
}

/** One form each: a certificate of ours that is made, put to use or removed. */
export async function saveSamlKeys({ request, context }: ActionFunctionArgs) {
  const { member } = requirePermission(context, 'manageMembers');
  const form = await request.formData();
  const id = String(form.get('key') ?? '');
  const intent = form.get('intent');
  try {
    if (intent === 'use') await performAsMember(context, putSamlKeyToUse, { id });
    else if (intent === 'remove') await performAsMember(context, removeSamlKey, { id });
    else if (intent === 'create') await makeKey(context, member.workspace.name);
    else throw data({ code: 'invalid_input' }, { status: 400 });
  } catch (error) {
    // Pressed twice, or by two: the page shows how it is now.
    if (!(error instanceof AppError && ['conflict', 'not_found'].includes(error.code))) throw error;
    return redirect(PAGE, { status: 303 });
  }
  return redirectWithNotice(PAGE, intent === 'use' ? 'samlKeyUsed' : intent === 'remove' ? 'samlKeyRemoved' : 'samlKeyCreated');
}

async function ensureKey(context: Context, workspaceId: string): Promise<void> {
  const { read, member } = context.get(memberContext);
  const kept = await read((db) =>
    db.selectFrom('quorate.saml_keys').select('id').where('workspace_id', '=', workspaceId).executeTakeFirst(),
  );
  if (kept === undefined) await makeKey(context, member.workspace.name);
}

async function makeKey(context: Context, name: string): Promise<void> {
  const { saml, now, newId } = context.get(servicesContext);
  const { certificate, key, notAfter } = await saml.makeKey(`Quorate ${name}`, now());
  await performAsMember(context, createSamlKey, { id: newId(), certificate, key, notAfter });
}

type ReadMetadata = SamlMetadata & { metadataUrl: string | null };

/** The metadata that was uploaded, pasted or named, in this order; null: none. @throws SamlMetadataError */
async function metadataOf(context: Context, given: SamlProviderForm): Promise<ReadMetadata | null> {
  const { saml } = context.get(servicesContext);
  const { metadata, metadataFile, metadataUrl } = given;
  if (metadataFile !== undefined && metadataFile.size > 0)
    return { ...(await saml.readMetadata(await metadataFile.text())), metadataUrl: null };
  if (metadata.trim() !== '') return { ...(await saml.readMetadata(metadata)), metadataUrl: null };
  if (metadataUrl === '') return null;
  const { read, member } = context.get(memberContext);
  const row = await read((db) =>
    db.selectFrom('quorate.workspaces').select('private_network').where('id', '=', member.workspace.id).executeTakeFirstOrThrow(),
  );
  const text = await saml.fetchMetadata(metadataUrl, readWorkspaceNetwork(row.private_network));
  return { ...(await saml.readMetadata(text)), metadataUrl };
}

/** Beside the field that the metadata came by. */
function faultOf({ fault }: SamlMetadataError, { metadata, metadataFile }: SamlProviderForm) {
  const field = (metadataFile?.size ?? 0) > 0 ? 'metadataFile' : metadata.trim() === '' ? 'metadataUrl' : 'metadata';
  return { [field]: [`samlMetadata.${fault}`] };
}

function columnsOf(given: SamlProviderForm, clientId: string, read: ReadMetadata) {
  const { name, emailClaim, nameClaim, groupsClaim, emailsVerified, defaultRoles, nameId, idpInitiated } = given;
  const { entityId: issuer, ssoUrl, certificates, metadataUrl } = read;
  const saml: SamlSettings = { ssoUrl, certificates, metadataUrl, nameId, idpInitiated };
  return { name, issuer, clientId, emailClaim, nameClaim, groupsClaim, emailsVerified, defaultRoles, saml };
}
