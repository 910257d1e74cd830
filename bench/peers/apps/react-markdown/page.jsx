import Markdown from "react-markdown";
import remarkGfm from "remark-gfm";
import { showChat } from "../use-chat-page.jsx";

const plugins = [remarkGfm];

await showChat(function Answer({ text }) {
  return <Markdown remarkPlugins={plugins}>{text}</Markdown>;
});
