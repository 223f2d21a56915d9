import { NavLink } from 'react-router';

/** `current`: for screens that share a path and differ in their search; elsewhere the path says which one is open. */
type AreaLink = { label: string; to: string; current?: boolean };

/** Links to the screens of one area, with the open one marked. */
export function AreaLinks({ label, links }: { label: string; links: readonly AreaLink[] }) {
  return (
    <nav aria-label={label} className="mb-6 border-b border-line print:hidden">
      <ul className="-mb-px flex flex-wrap gap-x-6">
        {links.map((link) => (
          <li key={link.to}>
            <NavLink
              to={link.to}
              end
              aria-current={(link.current ?? true) ? 'page' : false}
              preventScrollReset={link.current !== undefined}
              className={({ isActive }) =>
                `inline-block border-b-2 py-2.5 font-semibold no-underline ${isActive && (link.current ?? true) ? 'border-accent text-ink' : 'border-transparent text-muted hover:border-edge hover:text-ink'}`
              }
            >
              {link.label}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
