/** Gateways as their keepers make them: whose hand may, what a tool becomes, and what a change of it takes away. */
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { activateGateway } from '#app/engine/commands/gateways/activate-gateway.ts';
import { addGatewayTools } from '#app/engine/commands/gateways/add-gateway-tools.ts';
import { createGateway } from '#app/engine/commands/gateways/create-gateway.ts';
import { deleteGateway } from '#app/engine/commands/gateways/delete-gateway.ts';
import { editGateway } from '#app/engine/commands/gateways/edit-gateway.ts';
import { editGatewayTool } from '#app/engine/commands/gateways/edit-gateway-tool.ts';
import { removeGatewayTool } from '#app/engine/commands/gateways/remove-gateway-tool.ts';
import { perform } from '#app/engine/commands/perform.ts';
import { listGatewayCallers, listGateways, listGatewayTools, readGateway } from '#app/engine/gateways/read-gateways.ts';
import { readGatewayMark, readServedGateway, searchServedGateway } from '#app/engine/serving/served-gateway.ts';
import { findRows } from '#app/features/search/find-rows.server.ts';
import { commandDeps, principalOf } from '#tests/integration/support/policy-in-force.ts';
import { createRunFixture, type RunFixture, type Workspace } from '#tests/support/run-fixture.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
let runs: RunFixture;
let workspace: Workspace;
const SCHEMA = { type: 'object', properties: { to: { type: 'string' }, urgent: { type: 'boolean' } }, required: ['to', 'urgent'] };

beforeAll(async () => {
  database = await createTestDatabase();
  runs = await createRunFixture(database);
  workspace = await runs.makeWorkspace();
});
afterAll(async () => {
  await runs.close();
  await database.close();
});

const as = (who: 'builder' | 'approver' | 'admin', of = workspace) => principalOf(database, runs, of, of[who]);
const settings = {
  ...{ name: 'Desk', description: 'For agents', roles: [], groups: [], programs: [] },
  ...{ callsAtOnce: null, callsAMinute: null, callerCallsAMinute: null },
};
async function make(address: string, who: 'builder' | 'admin' = 'builder'): Promise<string> {
  const { id } = await perform(createGateway, as(who), commandDeps(runs), { ...settings, id: newId(), address });
  return id;
}
/** Its peer says something else from now on, and somebody has approved it. */
const changeDefinition = (capability: string) =>
  database.arrange(workspace.id, async (client) => {
    await client.query(`update quorate.capabilities set fingerprint = 'f2', approved_fingerprint = 'f2' where id = $1`, [capability]);
  });
const ALL = { after: '', limit: 1_000 };
const toolsOf = (gateway: string) => as('builder').read((db) => listGatewayTools(db, gateway));
const served = (address: string, of = workspace) =>
  as('builder').read((db) => readServedGateway(db, { workspaceId: of.id, address, part: ALL }));

test('builders and admins make them, each address once; others may not, and see them', async () => {
  const id = await make('first', 'admin');
  await expect(make('first')).rejects.toMatchObject({ code: 'conflict', field: 'address' });
  await expect(
    perform(createGateway, as('approver'), commandDeps(runs), { ...settings, id: newId(), address: 'second' }),
  ).rejects.toMatchObject({ code: 'forbidden' });
  expect(await as('approver').read(listGateways)).toMatchObject([{ id, address: 'first', status: 'active', tools: 0 }]);
  const other = await runs.makeWorkspace();
  expect(await as('builder', other).read(listGateways)).toEqual([]);
  expect(
    await as('builder', other).read((db) => readServedGateway(db, { workspaceId: workspace.id, address: 'first', part: ALL })),
  ).toBeNull();
});

test('its tools have names of their own, are approved ones alone, and are served as they were approved', async () => {
  const gateway = await make('tools');
  const mail = await runs.makeCapability(workspace, { name: 'send mail!', inputSchema: SCHEMA });
  const twin = await runs.makeCapability(workspace, { name: 'send_mail', slug: 'twin', inputSchema: SCHEMA });
  const pending = await runs.makeCapability(workspace, { name: 'wait', approved: false });
  const skill = await runs.makeCapability(workspace, { name: 'think', kind: 'skill' });
  const add = (...capabilities: string[]) => perform(addGatewayTools, as('builder'), commandDeps(runs), { gateway, capabilities });
  for (const unfit of [pending, skill, { capabilityId: newId() }])
    await expect(add(mail.capabilityId, unfit.capabilityId)).rejects.toMatchObject({ code: 'conflict' });
  expect(await toolsOf(gateway)).toEqual([]);
  await add(mail.capabilityId, twin.capabilityId);
  expect(await add(mail.capabilityId)).toEqual({ added: 0 });
  expect((await toolsOf(gateway)).map(({ name, state }) => [name, state])).toEqual([
    ['send_mail', 'served'],
    ['twin_send_mail', 'served'],
  ]);
  await changeDefinition(twin.capabilityId);
  expect((await toolsOf(gateway)).map(({ state }) => state)).toEqual(['served', 'changed']);
  expect((await served('tools'))?.tools.map(({ name }) => name)).toEqual(['send_mail']);
});

test('a tool is narrowed by values that its callers neither see nor send, and served again as it is approved now', async () => {
  const gateway = await make('narrow');
  const { capabilityId } = await runs.makeCapability(workspace, { name: 'notify', inputSchema: SCHEMA });
  await perform(addGatewayTools, as('builder'), commandDeps(runs), { gateway, capabilities: [capabilityId] });
  const [{ id: tool = '' } = {}] = await toolsOf(gateway);
  const edit = (fixed: Record<string, string>, name = 'tell') =>
    perform(editGatewayTool, as('builder'), commandDeps(runs), { gateway, tool, name, description: 'Tells somebody', fixed });
  await expect(edit({ nothing: 'x' })).rejects.toMatchObject({ code: 'invalid_input' });
  await expect(edit({}, 'with blanks in it')).rejects.toMatchObject({ code: 'invalid_input' });
  await changeDefinition(capabilityId);
  expect((await served('narrow'))?.tools).toEqual([]);
  await edit({ urgent: 'false' });
  const found = (await served('narrow'))?.tools[0];
  expect(found).toMatchObject({ name: 'tell', description: 'Tells somebody' });
  expect(found?.workflow.document).toMatchObject({
    takes: { properties: { to: { type: 'string' } }, required: ['to'], additionalProperties: false },
    steps: [{ input: { to: '=input.to', urgent: '=false' } }],
  });
  await perform(removeGatewayTool, as('builder'), commandDeps(runs), { gateway, tool });
  expect((await served('narrow'))?.tools).toEqual([]);
});

test('one that is paused, for other roles, or deleted is found by no caller; its address is free again', async () => {
  const gateway = await make('door');
  expect(await served('door')).not.toBeNull();
  const activate = (active: boolean) => perform(activateGateway, as('admin'), commandDeps(runs), { gateway, active });
  await activate(false);
  expect(await served('door')).toBeNull();
  await activate(true);
  const edit = { ...settings, gateway, address: 'door', roles: ['auditor' as const], callsAtOnce: 3 };
  await perform(editGateway, as('admin'), commandDeps(runs), edit);
  expect(await served('door')).toMatchObject({ admitted: false, tools: [] });
  expect(await as('builder').read((db) => readGateway(db, gateway))).toMatchObject({ roles: ['auditor'], callsAtOnce: 3 });
  await perform(deleteGateway, as('admin'), commandDeps(runs), { gateway });
  await expect(as('builder').read((db) => readGateway(db, gateway))).rejects.toMatchObject({ code: 'not_found' });
  await make('door');
});

test('it is for people of its roles or groups, and with some programs named for those alone', async () => {
  const gateway = await make('audience');
  const [group, person, other] = [newId(), newId(), newId()];
  await database.arrange(workspace.id, async (client) => {
    await client.query(`insert into quorate.directory_groups (id, workspace_id, display_name) values ($1, $2, 'Treasury')`, [
      group,
      workspace.id,
    ]);
    await client.query(`insert into quorate.directory_people (id, workspace_id, user_name, user_id) values ($1, $2, 'b', $3)`, [
      ...[person, workspace.id, workspace.builder.id],
    ]);
  });
  const callers = () => as('builder').read(listGatewayCallers);
  expect(await callers()).toContainEqual({ kind: 'group', value: group, name: 'Treasury', owner: null });
  expect(await as('approver').read(listGatewayCallers)).toEqual([]);
  const edit = (change: object) =>
    perform(editGateway, as('admin'), commandDeps(runs), { ...settings, gateway, address: 'audience', ...change });
  await edit({ roles: ['auditor'], groups: [group] });
  expect(await served('audience')).toMatchObject({ admitted: false });
  const join = (active: boolean) =>
    database.arrange(workspace.id, async (client) => {
      await client.query('update quorate.directory_people set active = $2 where id = $1', [person, active]);
      await client.query(
        'insert into quorate.directory_group_people (workspace_id, group_id, person_id) values ($1, $2, $3) on conflict do nothing',
        [workspace.id, group, person],
      );
    });
  await join(true);
  expect(await served('audience')).toMatchObject({ admitted: true });
  await join(false);
  expect(await served('audience')).toMatchObject({ admitted: false });
  // A group that is gone is nobody's, and not everyone's.
  await edit({ groups: [other] });
  expect(await served('audience')).toMatchObject({ admitted: false });
  // A person at a screen is no program.
  await edit({ programs: [`key:${newId()}`, 'client:https://client.example/id'] });
  expect(await served('audience')).toMatchObject({ admitted: false });
  expect(await as('builder').read((db) => readGateway(db, gateway))).toMatchObject({
    programs: [expect.stringMatching(/^key:/), 'client:https://client.example/id'],
  });
  await expect(edit({ programs: ['anything'] })).rejects.toMatchObject({ code: 'invalid_input' });
});

test('calls beyond its pace are counted for each caller and for all, and wait for the minute to end', async () => {
  const gateway = await make('paced');
  const pace = { ...settings, gateway, address: 'paced', callsAMinute: 3, callerCallsAMinute: 2 };
  await perform(editGateway, as('admin'), commandDeps(runs), pace);
  const call = async (who: 'builder' | 'approver' | 'admin', calls = 1) => {
    const part = { tools: ['pay'], calls };
    const found = await as(who).read((db) => readServedGateway(db, { workspaceId: workspace.id, address: 'paced', part }));
    return found?.wait === null ? 'taken' : [found?.wait?.of, found?.wait?.pace];
  };
  expect([await call('builder'), await call('builder')]).toEqual(['taken', 'taken']);
  expect(await call('builder')).toEqual(['caller', 2]);
  // A refused caller took nothing from the others.
  expect([await call('approver', 0), await call('approver'), await call('admin')]).toEqual(['taken', 'taken', ['gateway', 3]]);
  // Several calls in one message count one by one.
  expect(await call('approver', 5)).not.toBe('taken');
});

test('it is found by its name, by whoever may see it', async () => {
  const { id } = await perform(createGateway, as('builder'), commandDeps(runs), {
    ...settings,
    ...{ id: newId(), name: 'Treasury door', address: 'treasury' },
  });
  const find = (of = workspace) => as('approver', of).read((db) => findRows(db, 'treasury'));
  expect(await find()).toContainEqual(expect.objectContaining({ kind: 'gateway', id, title: 'Treasury door', status: 'active' }));
  expect(await find(await runs.makeWorkspace())).toEqual([]);
  await perform(deleteGateway, as('builder'), commandDeps(runs), { gateway: id });
  expect((await find()).filter(({ kind }) => kind === 'gateway')).toEqual([]);
});

test('a large one is read by page, searched by words, and marked anew by each change of its list', async () => {
  const gateway = await make('large');
  const capabilities: string[] = [];
  for (const name of ['pay_invoice', 'refund', 'list_accounts'])
    capabilities.push(
      (await runs.makeCapability(workspace, { name, slug: `large-${name.replaceAll('_', '-')}`, inputSchema: SCHEMA })).capabilityId,
    );
  await perform(addGatewayTools, as('builder'), commandDeps(runs), { gateway, capabilities });
  const page = async (after: string) => {
    const part = { after, limit: 2 };
    return (await as('builder').read((db) => readServedGateway(db, { workspaceId: workspace.id, address: 'large', part })))?.tools;
  };
  expect((await page(''))?.map(({ name }) => name)).toEqual(['list_accounts', 'pay_invoice']);
  expect((await page('pay_invoice'))?.map(({ name }) => name)).toEqual(['refund']);
  expect(await page('refund')).toEqual([]);
  const search = async (...words: string[]) =>
    (await as('builder').read((db) => searchServedGateway(db, { workspaceId: workspace.id, address: 'large', words, limit: 5 }))).map(
      ({ name }) => name,
    );
  expect([await search('invoice', 'refund'), await search('pay', 'invoice', 'refund')]).toEqual([
    ['pay_invoice', 'refund'],
    ['pay_invoice', 'refund'],
  ]);
  expect([await search('100%'), await search()]).toEqual([[], []]);
  const mark = () => as('builder').read((db) => readGatewayMark(db, gateway));
  const marks = [await mark(), await mark()];
  expect(new Set(marks).size).toBe(1);
  await changeDefinition(capabilities[0] ?? '');
  marks.push(await mark());
  const [{ id: tool = '' } = {}] = (await toolsOf(gateway)).filter(({ name }) => name === 'refund');
  await perform(removeGatewayTool, as('builder'), commandDeps(runs), { gateway, tool });
  marks.push(await mark());
  await perform(editGateway, as('admin'), commandDeps(runs), { ...settings, gateway, address: 'large', roles: ['auditor'] });
  marks.push(await mark());
  expect(new Set(marks).size).toBe(4);
  expect(await search('invoice')).toEqual([]);
  expect(await as('builder', await runs.makeWorkspace()).read((db) => readGatewayMark(db, gateway))).toBe('');
});

test('no tool of it takes a name that every gateway has', async () => {
  const gateway = await make('reserved');
  const { capabilityId } = await runs.makeCapability(workspace, { name: 'get_run', slug: 'reserved', inputSchema: SCHEMA });
  await perform(addGatewayTools, as('builder'), commandDeps(runs), { gateway, capabilities: [capabilityId] });
  const [{ id: tool = '', name } = {}] = await toolsOf(gateway);
  expect(name).toBe('reserved_get_run');
  const edit = { gateway, tool, name: 'search_tools', description: '', fixed: {} };
  await expect(perform(editGatewayTool, as('builder'), commandDeps(runs), edit)).rejects.toMatchObject({ field: 'name' });
});
