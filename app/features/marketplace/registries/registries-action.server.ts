import { data, href, type RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { message } from '#app/components/form/messages.ts';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { refusedForm } from '#app/components/form/refused-form.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import type { RegistryReading } from '#app/contracts/registry.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { assertPermission } from '#app/domain/people/roles.ts';
import { addRegistry } from '#app/engine/commands/registries/add-registry.ts';
import { refreshRegistry } from '#app/engine/commands/registries/refresh-registry.ts';
import { removeRegistry } from '#app/engine/commands/registries/remove-registry.ts';
import { RegistryError } from '#app/engine/connections/registry/read-registry.ts';
import { workspaceNetwork } from '#app/engine/workspaces/workspace-network.ts';
import { readRegistryServers } from '#app/features/marketplace/registries/read-registries.server.ts';
import { registrySchema } from '#app/features/marketplace/registries/registry-schema.ts';
import { performAsMember } from '#app/perform.server.ts';

type Context = Readonly<RouterContextProvider>;

const intentSchema = z.discriminatedUnion('intent', [
  z.object({ intent: z.literal('refresh'), registry: z.uuid() }),
  z.object({ intent: z.literal('remove'), registry: z.uuid() }),
]);

/** The registries of the workspace, for those who may connect. */
export async function loadRegistries({ context }: { context: Context }) {
  const { member, read } = context.get(memberContext);
  assertPermission(member.roles, 'connect');
  const registries = await read((db) => readRegistryServers(db, member.workspace.id));
  return {
    registries: registries.map(({ servers, readAt, ...registry }) => ({
      ...registry,
      servers: servers.length,
      readAt: readAt.toISOString(),
    })),
  };
}
export type LoadedRegistries = Awaited<ReturnType<typeof loadRegistries>>;

/** Adds a registry; refreshes or removes one. */
export async function registriesAction({ request, context }: { request: Request; context: Context }) {
  assertPermission(context.get(memberContext).member.roles, 'connect');
  const chosen = intentSchema.safeParse(Object.fromEntries(await request.clone().formData()));
  if (!chosen.success) return addAction(request, context);
  const { intent, registry } = chosen.data;
  if (intent === 'remove') {
    await performAsMember(context, removeRegistry, { id: registry });
    return redirectWithNotice(href('/dashboard/marketplace/registries'), 'registryRemoved');
  }
  return refreshAction(context, registry);
}

async function addAction(request: Request, context: Context) {
  const parsed = await parseForm(request, registrySchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const { name, address } = parsed.value;
  const reading = await ask(context, address);
  if (reading instanceof RegistryError) return invalidForm(parsed.reply, { fieldErrors: { address: [failureMessage(reading)] } });
  const id = context.get(servicesContext).newId();
  try {
    await performAsMember(context, addRegistry, { id, name, address, ...reading });
  } catch (error) {
    return refusedForm(parsed.reply, error);
  }
  return redirectWithNotice(`${href('/dashboard/marketplace')}?source=${id}`, 'registryAdded');
}

/** The servers read before stay where the registry cannot be read now. */
async function refreshAction(context: Context, id: string) {
  const { member, read } = context.get(memberContext);
  const known = (await read((db) => readRegistryServers(db, member.workspace.id))).find((registry) => registry.id === id);
  if (known === undefined) throw data({ code: 'not_found' }, { status: 404 });
  const reading = await ask(context, known.address);
  if (reading instanceof RegistryError)
    return redirectWithNotice(href('/dashboard/marketplace/registries'), 'registryUnread', {
      kind: 'danger',
      values: { name: known.name },
    });
  await performAsMember(context, refreshRegistry, { id, ...reading });
  return redirectWithNotice(href('/dashboard/marketplace/registries'), 'registryRefreshed');
}

async function ask(context: Context, address: string): Promise<RegistryReading | RegistryError> {
  const { member, read } = context.get(memberContext);
  const privateNetwork = await read((db) => workspaceNetwork(db, member.workspace.id));
  try {
    return await context.get(servicesContext).engine.readRegistry({ address, privateNetwork });
  } catch (error) {
    if (error instanceof RegistryError) return error;
    throw error;
  }
}

const failureMessage = ({ failure, status }: RegistryError) => message(`registry.${failure}`, failure === 'httpStatus' ? { status } : {});
