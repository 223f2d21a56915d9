import type { ReactNode } from 'react';

/** A bordered surface. It is not a landmark: give it a heading, or use Section. */
export function Card({ children, className = '' }: { children: ReactNode; className?: string }) {
  return <div className={`rounded-lg border border-line bg-surface p-4 sm:p-6 ${className}`}>{children}</div>;
}
