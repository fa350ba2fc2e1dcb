#!/usr/bin/env bash
# Runs Maven without the network once the same goals have succeeded for the same poms and profiles.
# Maven resolves some artefacts only while it runs (surefire's provider), so a success is the only proof
# that everything is there; the mark under build/stamps records it.
#
# usage: maven.sh POM GOAL [OPTION...]
set -eu

pom=$1 goal=$2
folder=$(dirname "$pom")
key=$(find "$folder" -name pom.xml -not -path '*/target/*' -print0 | sort -z | xargs -0 sha256sum | sha256sum | cut -c1-16)
profiles=
for option in "${@:3}"; do [[ $option != -P* ]] || profiles+=$option; done
mark="build/stamps/maven-${folder//\//-}-${goal##*:}$profiles-$key"
[ -e "$mark" ] && [ -d "$HOME/.m2/repository" ] && mode=(-o) || mode=()
mvn -B -ntp -Dstyle.color=never "${mode[@]}" -f "$pom" "${@:2}"
mkdir -p build/stamps
touch "$mark"
