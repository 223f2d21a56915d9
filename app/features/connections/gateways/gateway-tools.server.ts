import { data, href, type RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { message } from '#app/components/form/messages.ts';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { refusedErrors, refusedForm } from '#app/components/form/refused-form.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { inReadersLanguage } from '#app/components/text/shipped-texts.server.ts';
import type { Json } from '#app/contracts/json.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { revealedText } from '#app/domain/connections/hidden-text.ts';
import { inOrderOf } from '#app/domain/connections/in-order.ts';
import { AppError } from '#app/domain/errors.ts';
import { assertPermission } from '#app/domain/people/roles.ts';
import { readSearchWords } from '#app/domain/web/search-words.ts';
import { toolRules } from '#app/domain/workflows/steps/tool-step.ts';
import { addGatewayTools } from '#app/engine/commands/gateways/add-gateway-tools.ts';
import { editGatewayTool } from '#app/engine/commands/gateways/edit-gateway-tool.ts';
import { GATEWAY_TOOL_NAME } from '#app/engine/commands/gateways/gateway-input.ts';
import { removeGatewayTool } from '#app/engine/commands/gateways/remove-gateway-tool.ts';
import { argumentsOf, gatewayDocument, gatewayDocumentSchema } from '#app/engine/gateways/gateway-document.ts';
import { listGatewayTools, readGateway } from '#app/engine/gateways/read-gateways.ts';
import { loadCatalogueItems } from '#app/engine/workflows/load-catalogue.ts';
import { differenceOf } from '#app/features/connections/definition-difference.ts';
import { gatewayToolSchema } from '#app/features/connections/gateways/gateway-schema.ts';
import { requireGatewayId } from '#app/features/connections/gateways/save-gateway.server.ts';
import { performAsMember } from '#app/perform.server.ts';

type Context = Readonly<RouterContextProvider>;
type OfGateway = { params: { gateway: string }; context: Context };
type OfTool = { params: { gateway: string; tool: string }; context: Context };

/** A page of tools to choose from; a search narrows it. */
const MOST_OFFERED = 100;

/** Approved tools that the gateway has not, those with all of the words that were searched for. */
export async function loadOfferedTools({ params, context, url }: OfGateway & { url: URL }) {
  const read = requireKeeper(context);
  const id = requireGatewayId(params.gateway);
  const { words } = readSearchWords(url.searchParams.get('q'));
  const { gateway, items, has } = await read(async (db) => ({
    gateway: await readGateway(db, id),
    items: await loadCatalogueItems(db),
    has: new Set((await listGatewayTools(db, id)).map(({ capabilityId }) => capabilityId)),
  }));
  const wanted = words.toLowerCase().split(/\s+/);
  const offered = inReadersLanguage(context, items)
    .filter(({ id: capability, approved, protocol }) => approved && toolRules.protocols.includes(protocol) && !has.has(capability))
    .map(({ id: capability, capability: name, title, description, effect, connectionName }) => ({
      ...{ id: capability, name: revealedText(name), title, description, effect, connectionName },
    }));
  const found = offered.filter(({ name, title, description, connectionName }) => {
    const text = `${name} ${title} ${description} ${connectionName}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
  const shown = found.slice(0, MOST_OFFERED);
  return {
    gateway: { id: gateway.id, name: gateway.name },
    words,
    offered: offered.length,
    more: found.length - shown.length,
    groups: [...Map.groupBy(shown, ({ connectionName }) => connectionName)].map(([connection, tools]) => ({ connection, tools })),
  };
}
export type LoadedOfferedTools = Awaited<ReturnType<typeof loadOfferedTools>>;

/** Puts the ticked tools into the gateway. Refused, it answers with the reasons and what was ticked. */
export async function addToolsAction({ request, params, context }: OfGateway & { request: Request }) {
  requireKeeper(context);
  const gateway = requireGatewayId(params.gateway);
  const ticked = z.array(z.uuid()).safeParse((await request.formData()).getAll('capability'));
  if (!ticked.success) throw new AppError('invalid_input');
  if (ticked.data.length === 0) return data({ ticked: ticked.data, reasons: [message('chooseAtLeastOne')] }, { status: 400 });
  try {
    await performAsMember(context, addGatewayTools, { gateway, capabilities: ticked.data });
  } catch (error) {
    const { errors, status } = refusedErrors(error);
    return data({ ticked: ticked.data, reasons: [...(errors.formErrors ?? [])] }, { status });
  }
  return redirectWithNotice(href('/dashboard/plugins/gateways/:gateway', { gateway }), 'gatewayToolsAdded');
}

/** A tool of a gateway with the arguments that can be fixed, and what its schema has become since it was put in. */
export async function loadGatewayTool({ params, context }: OfTool) {
  const read = requireKeeper(context);
  const { gateway, tool, item, frozen } = await read(async (db) => {
    const found = await readTool(db, params);
    const items = found.tool.state === 'gone' ? [] : await loadCatalogueItems(db);
    const version = await db
      .selectFrom('quorate.gateway_tools as t')
      .innerJoin('quorate.versions as v', 'v.id', 't.version_id')
      .where('t.id', '=', found.tool.id)
      .select('v.document')
      .executeTakeFirstOrThrow();
    return {
      ...found,
      item: items.find(({ id }) => id === found.tool.capabilityId),
      frozen: gatewayDocumentSchema.parse(version.document),
    };
  });
  const { id, name, description, fixed, state, title, capability, connectionId, connectionName } = tool;
  const now = item === undefined ? null : (gatewayDocument(item, tool).takes ?? null);
  const before = frozen.takes ?? null;
  return {
    gateway: { id: gateway.id, name: gateway.name },
    tool: {
      ...{ id, name, description, state, capability: revealedText(capability), connectionId },
      ...inReadersLanguage(context, { title, connectionName }),
    },
    /** It can be saved: somebody has approved it as it is. */
    approved: item?.approved === true,
    described: item?.description ?? '',
    arguments: [...argumentsOf(item?.inputSchema ?? null)].map(([argument, { schema, required }]) => ({
      name: argument,
      value: Object.hasOwn(fixed, argument) ? (fixed[argument] ?? '') : '',
      required,
      ...wordsOf(schema),
    })),
    difference: state === 'changed' && now !== null ? differenceOf(linesOf(inOrderOf(before, now)), linesOf(now)) : [],
  };
}
export type LoadedGatewayTool = Awaited<ReturnType<typeof loadGatewayTool>>;

export async function gatewayToolAction({ request, params, context }: OfTool & { request: Request }) {
  requireKeeper(context);
  const ids = { gateway: requireGatewayId(params.gateway), tool: requireGatewayId(params.tool) };
  const parsed = await parseForm(request, gatewayToolSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const { name, description, arguments: sent } = parsed.value;
  if (!GATEWAY_TOOL_NAME.test(name)) return invalidForm(parsed.reply, { fieldErrors: { name: [message('gatewayToolName')] } });
  const fixed = Object.fromEntries(sent.filter(({ value }) => value !== '').map(({ name: argument, value }) => [argument, value]));
  try {
    await performAsMember(context, editGatewayTool, { ...ids, name, description, fixed });
  } catch (error) {
    return refusedForm(parsed.reply, error);
  }
  return redirectWithNotice(href('/dashboard/plugins/gateways/:gateway', { gateway: ids.gateway }), 'gatewayToolSaved');
}

/** Names alone, for the question before it is removed. */
export async function loadToolRemoval({ params, context }: OfTool) {
  const { gateway, tool } = await requireKeeper(context)((db) => readTool(db, params));
  return { gateway: { id: gateway.id, name: gateway.name }, tool: { id: tool.id, name: tool.name } };
}

export async function removeToolAction({ params, context }: OfTool) {
  const gateway = requireGatewayId(params.gateway);
  await performAsMember(context, removeGatewayTool, { gateway, tool: requireGatewayId(params.tool) });
  return redirectWithNotice(href('/dashboard/plugins/gateways/:gateway', { gateway }), 'gatewayToolRemoved');
}

function requireKeeper(context: Context) {
  const { member, read } = context.get(memberContext);
  assertPermission(member.roles, 'keepGateway');
  return read;
}

async function readTool(db: Parameters<typeof readGateway>[0], params: OfTool['params']) {
  const id = requireGatewayId(params.gateway);
  const wanted = requireGatewayId(params.tool);
  const gateway = await readGateway(db, id);
  const tool = (await listGatewayTools(db, id)).find((one) => one.id === wanted);
  if (tool === undefined) throw new AppError('not_found');
  return { gateway, tool };
}

const linesOf = (schema: unknown): string => revealedText(JSON.stringify(schema, null, 2));

const LONGEST_WORDS = 500;
const wordsSchema = z.object({
  type: z.union([z.string(), z.array(z.string()).transform((types) => types.join(' | '))]).catch(''),
  description: z.string().catch(''),
});

/** The type of an argument and what its peer says of it, with everything invisible spelled out. */
function wordsOf(schema: Json): { type: string; description: string } {
  const { type = '', description = '' } = wordsSchema.safeParse(schema).data ?? {};
  return { type: revealedText(type).slice(0, 80), description: revealedText(description).slice(0, LONGEST_WORDS) };
}
