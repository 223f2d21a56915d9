import { AppError } from '#app/domain/errors.ts';
import { addPerson } from '#app/engine/commands/directory/add-person.ts';
import { changePerson } from '#app/engine/commands/directory/change-person.ts';
import { removePerson } from '#app/engine/commands/directory/remove-person.ts';
import { isSameState, type PersonState } from '#app/engine/directory/directory-state.ts';
import { patchPerson } from '#app/engine/directory/patch-person.ts';
import { findPerson, listPeople } from '#app/engine/directory/read-directory.ts';
import { readPerson } from '#app/engine/directory/read-resource.ts';
import { etagOf, type KeptPerson, project, userResource, wantedOf, wants } from '#app/engine/directory/resources.ts';
import { notFound, ScimError } from '#app/engine/directory/scim-error.ts';
import { performAsDirectory } from '#app/features/provisioning/perform-as-directory.server.ts';
import { scimAnswer } from '#app/features/provisioning/scim-answer.server.ts';
import { listOf, names, notAllowed, readJson, requireSeen, type ScimCall } from '#app/features/provisioning/scim-call.server.ts';

/** Changes that somebody else was quicker with are tried again on what is there then. */
const ATTEMPTS = 4;

/** `/Users` and `/Users/<id>`. */
export async function serveUsers(call: ScimCall): Promise<Response> {
  const { method } = call.request;
  if (call.id === null) {
    if (method === 'GET' || method === 'HEAD') return listUsers(call);
    return method === 'POST' ? addUser(call) : notAllowed('GET, HEAD, POST');
  }
  switch (method) {
    case 'GET':
    case 'HEAD':
      return readUser(call, call.id);
    case 'PUT':
      return changeUser(call, call.id, (_, body) => readPerson(body));
    case 'PATCH':
      return changeUser(call, call.id, (before, body) => patchPerson(stateOf(before), before.id, body));
    case 'DELETE':
      return removeUser(call, call.id);
    default:
      return notAllowed('GET, HEAD, PUT, PATCH, DELETE');
  }
}

async function listUsers({ read, params, workspaceId, base }: ScimCall): Promise<Response> {
  const wanted = wantedOf(params);
  const page = await read((db) => listPeople(db, { params, workspaceId, withOthers: wants(wanted, 'groups') }));
  return scimAnswer(listOf({ ...page, items: page.items.map((person) => project(userResource(person, base), wanted)) }));
}

async function find({ read, workspaceId }: ScimCall, id: string): Promise<KeptPerson> {
  const person = await read((db) => findPerson(db, workspaceId, id));
  if (person === null) throw notFound('user', id);
  return person;
}

function answerUser({ base, params }: ScimCall, person: KeptPerson, status = 200): Response {
  const location = `${base}/Users/${person.id}`;
  const headers = { ETag: etagOf(person.revision), 'Content-Location': location, ...(status === 201 && { Location: location }) };
  return scimAnswer(project(userResource(person, base), wantedOf(params)), { status, headers });
}

async function readUser(call: ScimCall, id: string): Promise<Response> {
  const person = await find(call, id);
  const isKnown = names(call.request.headers.get('If-None-Match'), person.revision);
  return isKnown ? scimAnswer(null, { status: 304, headers: { ETag: etagOf(person.revision) } }) : answerUser(call, person);
}

async function addUser(call: ScimCall): Promise<Response> {
  const state = readPerson(await readJson(call.request));
  const { person } = await performAsDirectory(call.context, addPerson, { state });
  return answerUser(call, person, 201);
}

async function changeUser(call: ScimCall, id: string, edit: (before: KeptPerson, body: unknown) => PersonState): Promise<Response> {
  const body = await readJson(call.request);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const before = await find(call, id);
    requireSeen(call.request, before.revision);
    const state = edit(before, body);
    if (isSameState(stateOf(before), state)) return answerUser(call, before);
    try {
      await performAsDirectory(call.context, changePerson, { id: before.id, revision: before.revision, state });
      return answerUser(call, await find(call, id));
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
    }
  }
  throw new ScimError(503, 'Others are changing this user. Try again.');
}

async function removeUser(call: ScimCall, id: string): Promise<Response> {
  const person = await find(call, id);
  requireSeen(call.request, person.revision);
  await performAsDirectory(call.context, removePerson, { id: person.id });
  return new Response(null, { status: 204 });
}

const stateOf = ({
  userName,
  externalId,
  displayName,
  givenName,
  familyName,
  formattedName,
  emails,
  active,
}: PersonState): PersonState => ({
  ...{ userName, externalId, displayName, givenName, familyName, formattedName, emails, active },
});
