import { describe, expect, test } from 'vitest';
import { appLogin, loginFromUrl, passwordVerifier } from '#app/platform/database/database-login.server.ts';

const KEY = 'a secret of thirty-two characters';

describe('the owner’s address', () => {
  test('is read with its escapes', () => {
    expect(loginFromUrl('postgresql://postgres.abc:p%40ss%2Fword@localhost:5433/my%20db')).toEqual({
      host: 'localhost',
      port: 5433,
      database: 'my db',
      user: 'postgres.abc',
      password: 'p@ss/word',
    });
  });

  test('goes over TLS wherever it leaves this machine, and checks the certificate when asked', () => {
    expect(loginFromUrl('postgres://u:p@db.example/postgres').ssl).toEqual({ rejectUnauthorized: false });
    expect(loginFromUrl('postgres://u:p@db.example/postgres?sslmode=verify-full').ssl).toEqual({ rejectUnauthorized: true });
    expect(loginFromUrl('postgres://u:p@db.example/postgres?sslmode=disable').ssl).toBe(false);
    expect(loginFromUrl('postgres://u:p@127.0.0.1/postgres').ssl).toBeUndefined();
    expect(loginFromUrl('postgres://u:p@[::1]/postgres')).toMatchObject({ host: '::1', port: 5432 });
  });
});

describe('the application’s login', () => {
  test('is on the owner’s host and keeps a pooler’s project', () => {
    const owner = loginFromUrl('postgres://postgres.abcdef:pw@pooler.example:5432/postgres');
    expect(appLogin(owner, KEY)).toMatchObject({ host: 'pooler.example', port: 5432, database: 'postgres', user: 'quorate_app.abcdef' });
    expect(appLogin({ ...owner, user: 'postgres' }, KEY).user).toBe('quorate_app');
  });

  test('has a password of the key alone, the same in every process', () => {
    const owner = loginFromUrl('postgres://postgres:pw@localhost/postgres');
    const { password } = appLogin(owner, KEY);
    expect(appLogin({ ...owner, password: 'another' }, KEY).password).toBe(password);
    expect(appLogin(owner, `${KEY}!`).password).not.toBe(password);
    expect(password).toHaveLength(43);
  });

  test('is told to the server as a verifier that does not hold the password', () => {
    const verifier = passwordVerifier('app', KEY);
    expect(verifier).toMatch(/^SCRAM-SHA-256\$4096:[A-Za-z0-9+/]{22}==\$[A-Za-z0-9+/]{43}=:[A-Za-z0-9+/]{43}=$/);
    expect(passwordVerifier('app', KEY)).toBe(verifier);
  });
});
