import { AppError } from '#app/domain/errors.ts';
import { addGroup } from '#app/engine/commands/directory/add-group.ts';
import { changeGroup } from '#app/engine/commands/directory/change-group.ts';
import { removeGroup } from '#app/engine/commands/directory/remove-group.ts';
import { type GroupState, isSameState } from '#app/engine/directory/directory-state.ts';
import { patchGroup } from '#app/engine/directory/patch-group.ts';
import { findGroup, listGroups } from '#app/engine/directory/read-directory.ts';
import { readGroup } from '#app/engine/directory/read-resource.ts';
import { etagOf, groupResource, type KeptGroup, project, wantedOf, wants } from '#app/engine/directory/resources.ts';
import { notFound, ScimError } from '#app/engine/directory/scim-error.ts';
import { performAsDirectory } from '#app/features/provisioning/perform-as-directory.server.ts';
import { scimAnswer } from '#app/features/provisioning/scim-answer.server.ts';
import { listOf, names, notAllowed, readJson, requireSeen, type ScimCall } from '#app/features/provisioning/scim-call.server.ts';

/** Changes that somebody else was quicker with are tried again on what is there then. */
const ATTEMPTS = 4;

/** `/Groups` and `/Groups/<id>`. */
export async function serveGroups(call: ScimCall): Promise<Response> {
  const { method } = call.request;
  if (call.id === null) {
    if (method === 'GET' || method === 'HEAD') return listAll(call);
    return method === 'POST' ? addOne(call) : notAllowed('GET, HEAD, POST');
  }
  switch (method) {
    case 'GET':
    case 'HEAD':
      return readOne(call, call.id);
    case 'PUT':
      return changeOne(call, call.id, (_, body) => readGroup(body));
    case 'PATCH':
      return changeOne(call, call.id, (before, body) => patchGroup(stateOf(before), before.id, body));
    case 'DELETE':
      return removeOne(call, call.id);
    default:
      return notAllowed('GET, HEAD, PUT, PATCH, DELETE');
  }
}

async function listAll({ read, params, workspaceId, base }: ScimCall): Promise<Response> {
  const wanted = wantedOf(params);
  const page = await read((db) => listGroups(db, { params, workspaceId, withOthers: wants(wanted, 'members') }));
  return scimAnswer(listOf({ ...page, items: page.items.map((group) => project(groupResource(group, base), wanted)) }));
}

async function find({ read, workspaceId }: ScimCall, id: string): Promise<KeptGroup> {
  const group = await read((db) => findGroup(db, workspaceId, id));
  if (group === null) throw notFound('group', id);
  return group;
}

function answerGroup({ base, params }: ScimCall, group: KeptGroup, status = 200): Response {
  const location = `${base}/Groups/${group.id}`;
  const headers = { ETag: etagOf(group.revision), 'Content-Location': location, ...(status === 201 && { Location: location }) };
  return scimAnswer(project(groupResource(group, base), wantedOf(params)), { status, headers });
}

async function readOne(call: ScimCall, id: string): Promise<Response> {
  const group = await find(call, id);
  const isKnown = names(call.request.headers.get('If-None-Match'), group.revision);
  return isKnown ? scimAnswer(null, { status: 304, headers: { ETag: etagOf(group.revision) } }) : answerGroup(call, group);
}

async function addOne(call: ScimCall): Promise<Response> {
  const state = readGroup(await readJson(call.request));
  const { id } = await performAsDirectory(call.context, addGroup, { state });
  return answerGroup(call, await find(call, id), 201);
}

async function changeOne(call: ScimCall, id: string, edit: (before: KeptGroup, body: unknown) => GroupState): Promise<Response> {
  const body = await readJson(call.request);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const before = await find(call, id);
    requireSeen(call.request, before.revision);
    const state = edit(before, body);
    if (isSameState(stateOf(before), state)) return answerGroup(call, before);
    try {
      await performAsDirectory(call.context, changeGroup, { id: before.id, revision: before.revision, state });
      return answerGroup(call, await find(call, id));
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
    }
  }
  throw new ScimError(503, 'Others are changing this group. Try again.');
}

async function removeOne(call: ScimCall, id: string): Promise<Response> {
  const group = await find(call, id);
  requireSeen(call.request, group.revision);
  await performAsDirectory(call.context, removeGroup, { id: group.id });
  return new Response(null, { status: 204 });
}

const stateOf = ({ displayName, externalId, members }: GroupState): GroupState => ({ displayName, externalId, members });
