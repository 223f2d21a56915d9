import { data, href, type RouterContextProvider } from 'react-router';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { modelSettingsSchema } from '#app/domain/connections/model-connection.ts';
import { can } from '#app/domain/people/roles.ts';
import { setPrice } from '#app/engine/commands/connections/set-price.ts';
import { readConnection } from '#app/features/connections/load-connection.server.ts';
import { priceSchema } from '#app/features/connections/price-schema.ts';
import { performAsMember } from '#app/perform.server.ts';

type Arguments = { request: Request; params: { connection: string }; context: Readonly<RouterContextProvider> };

/** The models of a connection, those in use first, and the prices that are known. */
export async function loadPrices({ request, params, context }: Arguments) {
  const row = await readPriced({ params, context });
  const { read } = context.get(memberContext);
  const models = await read((db) =>
    db
      .selectFrom('quorate.capabilities')
      .where('connection_id', '=', row.id)
      .where('removed_at', 'is', null)
      .orderBy((eb) => eb('approved_fingerprint', 'is', null))
      .orderBy('name')
      .select('name')
      .execute(),
  );
  const prices = Object.entries(row.modelSettings.prices).map(([model, price]) => ({ model, ...price }));
  return {
    id: row.id,
    name: row.name,
    model: new URL(request.url).searchParams.get('model') ?? '',
    models: models.map((model) => model.name),
    prices: prices.sort((a, b) => (a.model < b.model ? -1 : 1)),
  };
}
export type LoadedPrices = Awaited<ReturnType<typeof loadPrices>>;

export async function priceAction({ request, params, context }: Arguments) {
  const row = await readPriced({ params, context });
  const parsed = await parseForm(request, priceSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const { model, input, output } = parsed.value;
  const price = input === undefined || output === undefined ? null : { input, output };
  const { id, name, modelSettings: settings } = row;
  await performAsMember(context, setPrice, { connection: { id, name }, settings, model, price });
  return redirectWithNotice(href('/dashboard/llm-hub/:connection/prices', { connection: row.id }), 'modelPriceSaved');
}

async function readPriced({ params, context }: Omit<Arguments, 'request'>) {
  const { roles } = context.get(memberContext).member;
  if (!can(roles, 'manageConnection')) throw data({ code: 'forbidden' }, { status: 403 });
  const row = await readConnection({ params, context, kind: 'model' });
  return { ...row, modelSettings: modelSettingsSchema.parse(row.settings) };
}
