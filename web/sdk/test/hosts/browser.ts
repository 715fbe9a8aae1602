// The browser's own types fit as they are. It only has to compile.
import { Room } from "../../src/index.js";

export const room = new Room({ url: "wss://room.example", token: async () => null, WebSocket });
