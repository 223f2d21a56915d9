import { expect, test } from 'vitest';
import { columnSettings, readDashboardSettings, readHiddenColumns } from '#app/domain/people/member-settings.ts';

test('columns are kept under the name of their list alone', () => {
  expect({ ...columnSettings('runs', ['mode']), ...columnSettings('audit', ['place']) }).toEqual({
    'columns.runs': ['mode'],
    'columns.audit': ['place'],
  });
});

test.each([
  [
    ['mode', 'active'],
    ['mode', 'active'],
  ],
  [null, []],
  ['mode', []],
  [[1], []],
  [Array.from({ length: 51 }, () => 'x'), []],
])('of %j the columns %j are hidden', (stored, hidden) => {
  expect(readHiddenColumns({ 'columns.runs': stored, 'columns.audit': ['place'] }, 'runs')).toEqual(hidden);
});

test('an arrangement that cannot be read is none', () => {
  const dashboard = { order: ['health'], hidden: [] };
  expect(readDashboardSettings({ dashboard, 'columns.runs': ['mode'] })).toEqual(dashboard);
  expect(readDashboardSettings({ dashboard: { order: 'health' } })).toBeUndefined();
  expect(readDashboardSettings(null)).toBeUndefined();
  expect(readHiddenColumns(null, 'runs')).toEqual([]);
});
