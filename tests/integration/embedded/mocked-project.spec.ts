/** Data, functions and Realtime of the mocked project, as supabase-js meets them. */
import { setupServer } from 'msw/node';
import { expect, onTestFinished, test } from 'vitest';
import { mockedBackend } from '#tests/mocks/contract/backends.ts';
import { PASSWORD } from '#tests/mocks/contract/plays.ts';
import { takeRealtimeFrame } from '#tests/mocks/handlers/realtime.ts';
import { realtimeSocket } from '#tests/mocks/realtime-socket.ts';

async function signedIn() {
  const { backend, mock } = mockedBackend();
  const email = backend.newEmail();
  await mock.addUser({ email, password: PASSWORD, confirmedAt: mock.now() });
  const enter = async () => {
    const client = backend.client();
    await client.auth.signInWithPassword({ email, password: PASSWORD });
    return client;
  };
  return { backend, mock, enter, client: await enter() };
}

test('a table takes, filters, sorts, pages, changes and removes rows', async () => {
  const { client } = await signedIn();
  const notes = () => client.from('notes');
  const made = await notes()
    .insert([{ text: 'Second' }, { text: 'Third', pinned: true }])
    .select();
  expect(made.data).toMatchObject([
    { text: 'Second', pinned: false },
    { text: 'Third', pinned: true },
  ]);
  expect((await notes().select('text').eq('pinned', true).order('text', { ascending: false })).data).toEqual([
    { text: 'Third' },
    { text: 'Read me first' },
  ]);
  expect((await notes().select('text', { count: 'exact' }).order('text').range(1, 1)).count).toBe(3);
  expect((await notes().select('text').order('text').range(1, 1)).data).toEqual([{ text: 'Second' }]);
  expect((await notes().select('text').in('text', ['Third', 'None, "quoted"']).not('pinned', 'is', null)).data).toEqual([
    { text: 'Third' },
  ]);
  expect((await notes().update({ pinned: true }).ilike('text', 'SEC%').select('pinned').single()).data).toEqual({ pinned: true });
  expect((await notes().delete().eq('text', 'Second')).status).toBe(204);
  expect((await client.rpc('count_notes')).data).toBe(2);
});

test('a table refuses nobody, tables and filters that there are not, and a second row of one id', async () => {
  const { backend, client } = await signedIn();
  expect((await backend.client().from('notes').select()).data).toEqual([]);
  expect((await backend.client().from('notes').insert({ text: 'x' })).error?.code).toBe('42501');
  expect((await client.from('nothing').select()).error?.code).toBe('PGRST205');
  expect((await client.rpc('nothing')).error?.code).toBe('PGRST202');
  expect((await client.from('notes').select().textSearch('text', 'me')).error?.code).toBe('PGRST100');
  expect((await client.from('notes').select().single()).data).toMatchObject({ text: 'Read me first' });
  expect((await client.from('notes').select().eq('text', 'none').single()).error?.code).toBe('PGRST116');
  const { data } = await client.from('notes').select('id').single();
  expect((await client.from('notes').insert({ id: data?.id })).error?.code).toBe('23505');
  expect((await client.from('notes').upsert({ id: data?.id, text: 'Changed' }).select('text')).data).toEqual([{ text: 'Changed' }]);
});

test('an edge function answers, and one that there is not is refused', async () => {
  const { client } = await signedIn();
  expect((await client.functions.invoke('hello', { body: { name: 'Ada' } })).data).toEqual({ message: 'Hello Ada!' });
  expect((await client.functions.invoke('nothing')).error?.context.status).toBe(404);
});

test('Realtime: joins, broadcasts, presence, changes of rows, and who closes has left', async () => {
  const { mock, enter } = await signedIn();
  const server = setupServer(realtimeSocket(mock, (client, data) => takeRealtimeFrame(mock, client, data)));
  server.listen({ onUnhandledFrame: 'error' });
  onTestFinished(() => server.close());
  const [one, other] = [await enter(), await enter()];
  const heard: unknown[] = [];
  const listening = one.channel('room', { config: { presence: { key: 'one' } } });
  listening
    .on('broadcast', { event: 'wave' }, ({ payload }) => heard.push(payload))
    .on('postgres_changes', { event: '*', schema: 'public', table: 'notes' }, ({ eventType, new: row, old }) =>
      heard.push([eventType, (row as { text?: string }).text, (old as { text?: string }).text]),
    )
    .on('presence', { event: 'join' }, ({ key }) => heard.push(`${key} came`))
    .on('presence', { event: 'leave' }, ({ key }) => heard.push(`${key} went`));
  await joined(listening);
  const speaking = other.channel('room', { config: { presence: { key: 'two' }, broadcast: { ack: true } } });
  await joined(speaking);
  expect(await speaking.send({ type: 'broadcast', event: 'wave', payload: { from: 'שלום' } })).toBe('ok');
  await expect.poll(() => heard).toEqual([{ from: 'שלום' }]);
  await speaking.track({ at: 'desk' });
  await expect.poll(() => heard.at(-1)).toBe('two came');
  const { data } = await other.from('notes').insert({ text: 'New' }).select('id').single();
  await other.from('notes').update({ text: 'Newer' }).eq('id', data?.id);
  await other.from('notes').delete().eq('id', data?.id);
  await expect
    .poll(() => heard.slice(-3))
    .toEqual([
      ['INSERT', 'New', undefined],
      ['UPDATE', 'Newer', 'New'],
      ['DELETE', undefined, 'Newer'],
    ]);
  await other.removeAllChannels();
  await expect.poll(() => heard.at(-1)).toBe('two went');
  await one.removeAllChannels();
});

function joined(channel: { subscribe(told: (status: string, error?: Error) => void): unknown }): Promise<void> {
  return new Promise((resolve, reject) =>
    channel.subscribe((status, error) => {
      if (status === 'SUBSCRIBED') resolve();
      else if (status !== 'CLOSED') reject(error ?? new Error(status));
    }),
  );
}
