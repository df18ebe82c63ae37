// An address that leads nowhere.
import { Compass } from "lucide-react";
import { Link, useLocation } from "react-router";
import { EmptyState } from "../components/controls.tsx";

export default function NotFoundRoute() {
  const { pathname } = useLocation();
  return (
    <div className="m-auto">
      <h1 className="visually-hidden">Page not found</h1>
      <EmptyState icon={Compass} title="There is no such page">
        <p className="mb-3">
          The studio has no page at <code>{pathname}</code>.
        </p>
        <Link className="btn" to="/train">
          Go to Train
        </Link>
      </EmptyState>
    </div>
  );
}
