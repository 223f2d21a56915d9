import { useEffect, useRef } from 'react';
import { useRevalidator } from 'react-router';
import { pageEvents } from '#app/components/live/page-events.ts';

/** Reads the page's data again whenever something has happened in the workspace. `mark`: of the workspace when the data were read. */
export function useDeskChanges(mark: string): void {
  const { revalidate } = useRevalidator();
  const read = useRef(mark);
  useEffect(() => {
    read.current = mark;
  }, [mark]);
  useEffect(
    () =>
      pageEvents.join({
        desk: true,
        events: {
          change: ({ data }) => {
            if ((JSON.parse(data) as { mark: string }).mark !== read.current) void revalidate();
          },
        },
      }),
    [revalidate],
  );
}
