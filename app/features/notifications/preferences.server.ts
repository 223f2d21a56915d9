import { randomBytes } from 'node:crypto';
import { type ActionFunctionArgs, data, href, type RouterContextProvider } from 'react-router';
import { invalidForm, parseFormData } from '#app/components/form/parse-form.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import type { Db } from '#app/contracts/db.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { CHANNELS, NOTIFICATION_KINDS, type WebhookFormat } from '#app/domain/people/notification-kinds.ts';
import { isWanted, type NotificationSettings, notificationSettingsSchema, webhookContext } from '#app/domain/people/notifications.ts';
import { keepNotificationSettings } from '#app/engine/commands/personal/keep-notification-settings.ts';
import { notificationPreferencesSchema, webhookSchema } from '#app/features/notifications/preferences-schema.ts';
import { listWatches, type WatchedThing } from '#app/features/notifications/watches/list-watches.server.ts';
import { performForSelf } from '#app/perform.server.ts';

const PREFERENCES = href('/dashboard/notifications/preferences');

export type NotificationPreferencesView = { wanted: string[]; webhook: string; format: WebhookFormat; watches: WatchedThing[] };

export async function loadNotificationPreferences(context: Readonly<RouterContextProvider>): Promise<NotificationPreferencesView> {
  const { member, read } = context.get(memberContext);
  const settings = await read((db) => readSettings(db, member.userId));
  const wanted = NOTIFICATION_KINDS.flatMap((kind) =>
    CHANNELS.filter((channel) => isWanted(settings, kind, channel)).map((channel) => `${kind}.${channel}`),
  );
  const { notificationWebhook } = settings;
  return {
    wanted,
    webhook: notificationWebhook?.url ?? '',
    format: notificationWebhook?.format ?? 'json',
    watches: await listWatches(context),
  };
}

/** Saves the ticked boxes, or the webhook: a new address gets a new secret. */
export async function savePreferences({ request, context }: ActionFunctionArgs) {
  const form = await request.formData();
  return form.get('form') === 'webhook' ? saveWebhook(form, context) : saveWanted(form, context);
}

async function saveWanted(form: FormData, context: Readonly<RouterContextProvider>) {
  const parsed = await parseFormData(form, notificationPreferencesSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const wanted = new Set(parsed.value.wanted);
  const notifications = Object.fromEntries(
    NOTIFICATION_KINDS.map((kind) => [kind, Object.fromEntries(CHANNELS.map((channel) => [channel, wanted.has(`${kind}.${channel}`)]))]),
  );
  await performForSelf(context, keepNotificationSettings, { settings: { notifications } });
  return redirectWithNotice(PREFERENCES, 'notificationPreferencesSaved');
}

async function saveWebhook(form: FormData, context: Readonly<RouterContextProvider>) {
  const parsed = await parseFormData(form, webhookSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const { address, format } = parsed.value;
  const { member, read } = context.get(memberContext);
  const { engine } = context.get(servicesContext);
  const before = await read((db) => readSettings(db, member.userId));
  const kept = before.notificationWebhook?.url === address ? before.notificationWebhook.secret : null;
  const seal = () => {
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    return Buffer.from(engine.sealer.seal(secret, webhookContext(member.userId))).toString('base64');
  };
  const notificationWebhook = address === '' ? null : { url: address, secret: kept ?? seal(), format };
  await performForSelf(context, keepNotificationSettings, { settings: { notificationWebhook } });
  return redirectWithNotice(PREFERENCES, 'notificationPreferencesSaved');
}

/** The secret of one's webhook, for its receiver. 404 without a webhook. */
export async function loadWebhookSecret(context: Readonly<RouterContextProvider>): Promise<{ address: string; secret: string }> {
  const { member, read } = context.get(memberContext);
  const { engine } = context.get(servicesContext);
  const { notificationWebhook } = await read((db) => readSettings(db, member.userId));
  if (notificationWebhook === null) throw data({ code: 'not_found' }, { status: 404 });
  const secret = engine.sealer.open(Buffer.from(notificationWebhook.secret, 'base64'), webhookContext(member.userId));
  return { address: notificationWebhook.url, secret };
}

async function readSettings(db: Db, userId: string): Promise<NotificationSettings> {
  const row = await db.selectFrom('quorate.preferences').where('user_id', '=', userId).select('settings').executeTakeFirst();
  return notificationSettingsSchema.parse(row?.settings ?? {});
}
