import { describe, expect, it } from 'vitest';
import { createLog, redact } from '#app/platform/log/log.ts';

function logged(work: (log: ReturnType<typeof createLog>) => void) {
  const lines: string[] = [];
  work(createLog({ write: (line) => lines.push(line), now: () => new Date(0) }));
  return lines;
}

describe('the log', () => {
  it('writes one line whatever the input holds', () => {
    const [line = '', ...more] = logged((log) => log.info('a\r\nb\u0000', { path: '/x\n{"level":"error"}' }));
    expect(more).toEqual([]);
    expect(line.trimEnd()).not.toMatch(/[\r\n\0]/);
    expect(JSON.parse(line)).toMatchObject({ level: 'info', time: '1970-01-01T00:00:00.000Z' });
  });

  it('takes out tokens, passwords and addresses of people', () => {
    expect(redact('GET /auth/confirm?token_hash=abc&type=signup')).toBe('GET /auth/confirm?token_hash=[redacted]&type=signup');
    expect(redact(`/invitations/${'a-_9'.repeat(10)}abc.data`)).toBe('/invitations/[token].data');
    expect(redact('postgresql://me:hush@db.internal/x')).toBe('postgresql://[redacted]@db.internal/x');
    expect(redact('mail to ada@example.com')).toBe('mail to [address]');
    expect(redact('Authorization: Bearer abcdef123456')).toContain('Bearer [redacted]');
    const [line = ''] = logged((log) => log.info('x', { password: 'hush', sessionToken: 't' }));
    expect(line).not.toContain('hush');
  });

  it('keeps the name and place of an error, not the row it was about', () => {
    const error = Object.assign(new Error('duplicate key'), { code: '23505', detail: 'Key (email)=(ada@example.com)' });
    const [line = ''] = logged((log) => log.error('insert failed', { error }));
    expect(JSON.parse(line)).toMatchObject({ error: 'Error: duplicate key', code: '23505' });
    expect(line).not.toContain('ada');
  });
});
