import { describe, expect, test, vi } from 'vitest';
import { createPageEvents } from '#app/components/live/page-events.ts';

const RUN = '00000000-0000-7000-8000-000000000001';
const PERSON = '/dashboard/notifications/events';
const turn = () => new Promise<void>((resolve) => queueMicrotask(resolve));

/** A page, and the streams that it holds and has held. */
function openPage() {
  const streams: { address: string; open: boolean; say(name: string, data?: string, id?: string): void }[] = [];
  let visible = true;
  let change = () => {};
  const page = createPageEvents({
    listen(urlOf, { events }) {
      const stream = {
        address: urlOf(),
        open: true,
        say: (name: string, data = '{}', lastEventId = '') => events[name]?.({ data, lastEventId } as MessageEvent<string>),
      };
      streams.push(stream);
      return () => {
        stream.open = false;
      };
    },
    isVisible: () => visible,
    onVisibility(changed) {
      change = changed;
      return () => {
        change = () => {};
      };
    },
  });
  const show = (is: boolean) => {
    visible = is;
    change();
    return turn();
  };
  return { page, streams, show, held: () => streams.filter(({ open }) => open).map(({ address }) => address) };
}

describe('the events of a page', () => {
  test('come by one stream, of a run and of the reader together', async () => {
    const { page, streams, held } = openPage();
    const [changed, counted] = [vi.fn(), vi.fn()];
    page.join({ run: { id: RUN, texts: '' }, events: { change: changed } });
    page.join({ events: { counts: counted } });
    await turn();
    expect(streams.map(({ address }) => address)).toEqual([`/dashboard/runs/${RUN}/events?person=&texts=`]);
    streams[0]?.say('change');
    streams[0]?.say('counts', '{"unread":1}', '17');
    expect([changed.mock.calls.length, counted.mock.calls.length]).toEqual([1, 1]);
    expect(held()).toHaveLength(1);
  });

  test('continue without a gap where a run comes and goes: the next stream begins with what was last read', async () => {
    const { page, streams, held } = openPage();
    page.join({ events: {} });
    await turn();
    expect(held()).toEqual([PERSON]);
    streams[0]?.say('counts', '{}', '17');
    const leave = page.join({ run: { id: RUN, texts: null }, events: {} });
    await turn();
    expect(held()).toEqual([`/dashboard/runs/${RUN}/events?person=&after=17`]);
    leave();
    page.join({ run: { id: RUN, texts: null }, events: {} });
    await turn();
    expect(streams).toHaveLength(2);
  });

  test('rest in the background, and end where the reader has no access any longer', async () => {
    const { page, streams, show, held } = openPage();
    const leave = page.join({ events: {} });
    await turn();
    await show(false);
    expect(held()).toEqual([]);
    await show(true);
    expect(held()).toEqual([PERSON]);
    streams.at(-1)?.say('over');
    await turn();
    page.join({ run: { id: RUN, texts: null }, events: {} })();
    await turn();
    expect(held()).toEqual([]);
    // Another person signs in.
    leave();
    page.join({ events: {} });
    await turn();
    expect(held()).toEqual([PERSON]);
  });
});
