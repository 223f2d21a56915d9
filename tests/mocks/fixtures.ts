/** What a developer finds in the mocked product: people of every role, and each thing in each of its states. */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { v7 as newId } from 'uuid';
import { recordEvent } from '#app/engine/audit/record-event.ts';
import { type DemoAccount, makeDemo } from '#app/engine/demo/make-demo.ts';
import { createDatabase } from '#app/platform/database/database.server.ts';
import { appLogin, type DatabaseLogin } from '#app/platform/database/database-login.server.ts';
import { makeEveryState } from '#tests/mocks/fixture-states.ts';
import type { MockBackend } from '#tests/mocks/mock-backend.ts';
import type { MockedPerson } from '#tests/mocks/scenarios-page.ts';
import { quietLog } from '#tests/support/quiet-log.ts';

/** The same for everyone and told on the page of scenarios: nothing that it opens is worth anything. */
const PASSWORD = 'mocked password';

const TEXTS = {
  paymentScreening: { name: 'Payment screening', description: 'Screens an outgoing payment and asks a person above the limit.' },
  dischargeLetter: { name: 'Discharge letter', description: 'Drafts the letter and has it checked.' },
  recordsRequest: { name: 'Records request', description: 'Collects what is asked for and has it released.' },
};

const asNow = () => new Date();

/** Makes the accounts in the mock, the demo workspace through the product's own commands, and the states beside it. */
export async function makeFixtures(
  mock: MockBackend,
  owner: pg.Pool,
  ownerLogin: DatabaseLogin,
  secretKey: string,
): Promise<MockedPerson[]> {
  const database = createDatabase({ login: appLogin(ownerLogin, secretKey), log: quietLog });
  const ids = new Map<string, string>();
  try {
    const made = await makeDemo({
      keptAccounts: async () => null,
      keepAccounts: async (people) => people.map((person) => ({ ...person, password: PASSWORD })),
      // The fixtures bring runs in states of their own.
      oweRuns: async () => undefined,
      finishAccounts: async () => undefined,
      async openSession({ email, password, name }) {
        const user = await mock.addUser({ email, password, confirmedAt: mock.now(), userMetadata: { name } });
        ids.set(email, user.id);
        const sessionId = randomUUID();
        const session = { id: sessionId, userId: user.id, assurance: 'aal1' as const, methods: ['password'], createdAt: mock.now() };
        await mock.store.keepSession(session);
        return { userId: user.id, sessionId, end: () => mock.store.endSessions([sessionId]) };
      },
      asNobody: (work) => database.app(work),
      access: ({ workspaceId, userId, sessionId, name }) => {
        const who = { userId, sessionId, workspaceId };
        return {
          read: (work) => database.asMember(who, work, { readOnly: true }),
          change: (work) =>
            database.asMember(who, async (db) => {
              const { result, event } = await work(db);
              await recordEvent(db, { id: newId(), actor: { kind: 'member', id: userId, name }, workspaceId, entry: event });
              return result;
            }),
        };
      },
      name: 'Mocked workspace',
      texts: TEXTS,
      newId,
      now: asNow,
    });
    const waiting = await mock.addUser({
      email: 'unconfirmed@demo.quorate.example',
      password: PASSWORD,
      userMetadata: { name: 'Una Unconfirmed' },
    });
    mock.mail(waiting, 'signup', { challenge: null, redirectTo: null });
    await makeEveryState(owner, {
      builder: idOf(ids, made, 'builder'),
      approver: idOf(ids, made, 'approver'),
      admin: idOf(ids, made, 'admin'),
    });
    return [
      ...made.map(({ name, email, password, roles }) => ({ name, email, password, about: roles.join(', ') })),
      { name: 'Una Unconfirmed', email: waiting.email, password: PASSWORD, about: 'waits for the confirmation of her mail' },
    ];
  } finally {
    await database.close();
  }
}

function idOf(ids: ReadonlyMap<string, string>, people: readonly DemoAccount[], role: DemoAccount['roles'][number]): string {
  const id = ids.get(people.find(({ roles }) => roles.includes(role))?.email ?? '');
  if (id === undefined) throw new Error(`the fixtures have no ${role}`);
  return id;
}
