import { useCallback, useEffect, useState } from "react";
import { type Config, fetchConfig } from "../config.js";
import { App } from "./App.js";
import { useTexts } from "./hooks.js";

/** Until it is known where the room is. */
export function Start() {
  const texts = useTexts();
  const [config, setConfig] = useState<Config | "failed" | null>(null);
  const load = useCallback(() => {
    setConfig(null);
    fetchConfig().then(setConfig, () => setConfig("failed"));
  }, []);
  useEffect(load, [load]);
  if (config !== null && config !== "failed") return <App config={config} />;
  return (
    <main className="page start-page">
      <p className="page-note" role="status">
        {config === null ? texts.loading : texts.start.failed}
      </p>
      {config === "failed" && (
        <button type="button" className="button" onClick={load}>
          {texts.start.again}
        </button>
      )}
    </main>
  );
}
