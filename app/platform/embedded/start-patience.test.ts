import { describe, expect, it } from 'vitest';
import { StartPatience } from '#app/platform/embedded/start-patience.ts';

const SECOND = 1_000;

describe('the wait for a database that starts', () => {
  it('ends after half a minute of silence', () => {
    const patience = new StartPatience(0);
    expect(patience.exhausted(30 * SECOND)).toBeNull();
    expect(patience.exhausted(31 * SECOND)).toBe('no progress for 30 seconds');
  });

  it.each([
    'LOG:  database system was interrupted; last known up at 2026-11-23 00:10:55 UTC',
    'LOG:  syncing data directory (fsync), elapsed time: 10.00 s, current path: ./base/5',
    'LOG:  redo starts at 0/14E6B28',
    'LOG:  redo in progress, elapsed time: 10.00 s, current LSN: 0/9A3E2F0',
    'LOG:  checkpoint starting: end-of-recovery immediate wait',
  ])('continues after: %s', (line) => {
    const patience = new StartPatience(0);
    expect(patience.hear(line, 25 * SECOND)).toBe(true);
    expect(patience.exhausted(50 * SECOND)).toBeNull();
    expect(patience.exhausted(56 * SECOND)).toBe('no progress for 30 seconds');
  });

  it.each(['FATAL:  the database system is starting up', 'LOG:  database system was shut down at 2026-11-23', 'redo starts at 0/14E6B28'])(
    'does not take for progress: %s',
    (line) => {
      const patience = new StartPatience(0);
      expect(patience.hear(line, 25 * SECOND)).toBe(false);
      expect(patience.exhausted(31 * SECOND)).toBe('no progress for 30 seconds');
    },
  );

  it('ends after a quarter of an hour, whatever is told', () => {
    const patience = new StartPatience(0);
    for (let at = 0; at <= 900; at += 10) {
      expect(patience.exhausted(at * SECOND)).toBeNull();
      patience.hear(`LOG:  redo in progress, elapsed time: ${at}.00 s, current LSN: 0/9A3E2F0`, at * SECOND);
    }
    expect(patience.exhausted(901 * SECOND)).toBe('not ready after 15 minutes');
  });
});
